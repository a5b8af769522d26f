import { randomUUID } from 'node:crypto'
import type { OutsideAccess } from '@hilum/contract/calls/outside'
import { expect, test } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const { organisation, accountUuid, makePlace, share, received } = await makeSharing({ services, call })
const partner = await makeOrganisation(services.db, { name: 'Harbour Clinic' })
await query(`insert into account_connection (uuid, asking_account, asked_account, connected_at)
  values (gen_random_uuid(), '${partner.accountUuid}', '${accountUuid}', now())`)
const receptionist = await partner.addPerson({ role: 'Administrator' })
const administrator = await organisation.addPerson({ role: 'Administrator' })

const list = async (sid: string, more: object = {}): Promise<OutsideAccess[]> =>
  (await call('outside/list', { sid, account_id: accountUuid, ...more })).body.accesses
const end = async (sid: string, named: object) =>
  (await call('outside/end', { sid, account_id: accountUuid, ...named })).body
const extend = async (sid: string, sent: object) => (await call('study/share/extend', { sid, ...sent })).body
const linkTo = async (sid: string, sent: object) => (await call('link/add', { sid, ...sent })).body.uuid as string

test('[API-43] a person finds what people outside have by the own hand: shares, links and requests, and nobody else’s', async () => {
  const [here, there] = [await makePlace(), await makePlace()]
  const colleague = await organisation.addPerson({ role: 'Staff', groups: [here.group] })
  const friend = await organisation.addPerson({ role: 'Staff' })
  const { sid, uuid } = here
  for (const to of [
    { user_id: colleague.userUuid },
    { user_id: friend.userUuid },
    { group_id: there.group.groupUuid, expires: 60 },
    { account_id: partner.accountUuid },
  ])
    expect(await share(sid, { uuid, ...to })).toEqual(done)
  await linkTo(sid, { study_id: uuid, action: 'STUDY_VIEW', email: 'gp@clinic.example', download: 1 })
  await linkTo(sid, { namespace_id: here.group.namespaceUuid, action: 'STUDY_UPLOAD', email: 'lab@clinic.example' })
  await linkTo(colleague.sid, { study_id: uuid, action: 'STUDY_VIEW' })
  const found = await list(sid)
  const about = Object.fromEntries(found.map((one) => [one.kind, one]))
  expect(found.map((one) => one.kind).toSorted()).toEqual(['account', 'group', 'link', 'request', 'user'])
  const study = { study_id: uuid, patient_name: 'DOE^JANE', namespace_id: here.group.namespaceUuid, is_own: 1 }
  expect(about).toMatchObject({
    user: { ...study, user_email: friend.email, is_outside: 0, right: 'exam', state: 'open', expires_at: null },
    group: { ...study, is_outside: 0, expires_at: expect.any(String), may_end: 1, may_extend: 1 },
    account: { ...study, who: 'Harbour Clinic', is_outside: 1 },
    link: { ...study, who: 'gp@clinic.example', right: 'download', is_outside: 1, used_at: null, may_end: 1 },
    request: { study_id: '', patient_name: '', who: 'lab@clinic.example', right: 'upload', may_end: 1, may_extend: 1 },
  })
  expect(await list(colleague.sid)).toMatchObject([{ kind: 'link', who: '', is_own: 1 }])
  expect(await list(friend.sid)).toEqual([])
})

test('a link to several exams is counted and names all patients whom its reader may see; a deleted exam hides no other', async () => {
  const { sid, uuid, group } = await makePlace()
  const of = { ...group, accountUuid }
  const rest = [
    await makeStudy(services.db, of, { patient_name: 'ROE^RICHARD' }),
    await makeStudy(services.db, of, { patient_name: 'DOE^JANE' }),
    await makeStudy(services.db, of, { patient_name: 'POE^ANN' }),
  ]
  const all = [uuid, ...rest.map((one) => one.uuid)]
  await linkTo(sid, { study_id: uuid, study_ids: all.join(), action: 'STUDY_VIEW', email: 'board@x.example' })
  const found = async (of: string, more: object = {}) =>
    (await list(of, more)).find(({ who }) => who === 'board@x.example')
  const named = async () => (await found(sid))?.patient_names.toSorted()
  expect(await found(sid)).toMatchObject({ study_count: 4, may_extend: 1 })
  expect(await named()).toEqual(['DOE^JANE', 'POE^ANN', 'ROE^RICHARD'])
  expect(await found(administrator.sid, { everyone: 1 })).toMatchObject({
    study_count: 4,
    patient_names: [],
    study_id: '',
  })
  for (const [at, gone] of all.toSorted().slice(0, 3).entries()) {
    await query(`update study set deleted_at = now() where uuid = '${gone}'`)
    const left = await found(sid)
    expect(left).toMatchObject({ study_count: 3 - at, may_extend: 1, may_restore: 1 })
    expect(left?.study_id).not.toBe('')
    expect(left?.patient_names).toContain(left?.patient_name)
  }
  expect((await list(sid)).filter(({ who }) => who === 'board@x.example')).toHaveLength(1)
})

test('is found by recipient, kind and reach, in the order asked for, a page at a time', async () => {
  const { sid, uuid } = await makePlace()
  for (const email of ['c@x.example', 'a@x.example', 'b@x.example'])
    await linkTo(sid, { study_id: uuid, action: 'STUDY_VIEW', email })
  await share(sid, { uuid, account_id: partner.accountUuid })
  const names = async (more: object) => (await list(sid, more)).map(({ who }) => who)
  expect(await names({ sort_by: 'who-asc', 'filter.kind.equals': 'link' })).toEqual([
    'a@x.example',
    'b@x.example',
    'c@x.example',
  ])
  expect(await names({ 'filter.who.like': '%harbour%' })).toEqual(['Harbour Clinic'])
  expect(await names({ 'filter.is_outside.equals': 0 })).toEqual([])
  expect(await names({ 'filter.kind.equals': 'link', sort_by: 'who-desc', 'page.rows': 1, 'page.number': 2 })).toEqual([
    'b@x.example',
  ])
})

test('administrators find what anybody gave, without the patients of places that they do not belong to', async () => {
  const { sid, uuid, person, group } = await makePlace()
  await linkTo(sid, { study_id: uuid, action: 'STUDY_VIEW', email: 'seen@x.example' })
  await query(`update app_group set share_code = 'OUTSIDE7' where uuid = '${group.groupUuid}'`)
  const refused = await call('outside/list', { sid, account_id: accountUuid, everyone: 1 })
  expect(refused.body.error_type).toBe('NOT_PERMITTED')
  const all = await list(administrator.sid, { everyone: 1 })
  expect(all.find(({ who }) => who === 'seen@x.example')).toMatchObject({
    study_id: '',
    patient_name: '',
    study_description: '',
    by_name: expect.stringMatching(/./),
    is_own: 0,
    may_end: 1,
    may_extend: 0,
  })
  expect(JSON.stringify(all)).not.toContain('DOE')
  expect(all.find((one) => one.kind === 'code' && one.uuid === group.namespaceUuid)).toMatchObject({
    right: 'upload',
    created: null,
    may_end: 0,
  })
  expect(await list(administrator.sid)).toEqual([])
  expect((await call('outside/list', { sid: receptionist.sid, account_id: accountUuid })).body.error_type).toBe(
    'NOT_FOUND',
  )
  await query(`delete from group_user where user_uuid = '${person.userUuid}'`)
  expect(await list(sid)).toMatchObject([{ who: 'seen@x.example', patient_name: '', may_end: 1, may_extend: 0 }])
})

test('whoever gave an access ends it, or an administrator, on record; others do not find it', async () => {
  const { sid, uuid, group, study, person } = await makePlace()
  const other = await organisation.addPerson({ role: 'Staff', groups: [group] })
  const friend = await organisation.addPerson({ role: 'Staff' })
  await share(sid, { uuid, user_id: friend.userUuid })
  const linkUuid = await linkTo(sid, { study_id: uuid, action: 'STUDY_VIEW', email: 'end@x.example' })
  const shareUuid = (await list(sid)).find(({ kind }) => kind === 'user')?.uuid
  for (const named of [{ share_id: shareUuid }, { link_id: linkUuid }]) {
    expect((await end(other.sid, named)).error_type).toBe('NOT_FOUND')
    expect((await end(receptionist.sid, { ...named, account_id: partner.accountUuid })).error_type).toBe('NOT_FOUND')
  }
  for (const wrong of [{}, { share_id: shareUuid, link_id: linkUuid }])
    expect((await end(sid, wrong)).error_type).toBe('INVALID_PARAMETERS')
  expect((await end(sid, { share_id: randomUUID() })).error_type).toBe('NOT_FOUND')
  expect(await received(friend, study.study_uid)).toBeDefined()
  expect(await end(administrator.sid, { share_id: shareUuid })).toEqual(done)
  expect(await received(friend, study.study_uid)).toBeUndefined()
  expect(await end(sid, { link_id: linkUuid })).toEqual(done)
  expect(await list(sid)).toEqual([])
  expect((await end(sid, { link_id: linkUuid })).error_type).toBe('EXPIRED')
  expect((await end(sid, { share_id: shareUuid })).error_type).toBe('EXPIRED')
  expect((await end(other.sid, { share_id: shareUuid })).error_type).toBe('NOT_FOUND')
  const ended = await query<{ type: string; actor: string }>(
    `select type, actor from audit where object_uuid = '${uuid}' and action = 'DELETE' order by id`,
  )
  expect(ended).toEqual([
    { type: 'Study_share', actor: administrator.userUuid },
    { type: 'Link', actor: person.userUuid },
  ])
})

test('what a location has is found with the exam and in the list of all accesses, lasts longer and ends there', async () => {
  const { uuid, sid } = await makePlace('Administrator')
  const made = await call('location/add', { sid: administrator.sid, account_id: accountUuid, name: 'North branch' })
  const location = made.body.uuid
  expect(await share(sid, { uuid, location_id: location, expires: 60 })).toEqual(done)
  const { body } = await call('study/share/access', { sid, uuid })
  expect(body.shares).toMatchObject([{ kind: 'location', uuid: location, name: 'North branch', state: 'delivered' }])
  const ofLocations = { everyone: 1, 'filter.kind.equals': 'location' }
  const [found] = await list(administrator.sid, ofLocations)
  expect(found).toMatchObject({ who_id: location, who: 'North branch', is_outside: 0, right: 'exam', may_end: 1 })
  expect(await extend(sid, { uuid, location_id: location, minutes_left: 120 })).toMatchObject(done)
  expect(await end(administrator.sid, { share_id: found?.uuid })).toMatchObject(done)
  expect(await list(administrator.sid, ofLocations)).toEqual([])
})

test('a share is made to last longer, never shorter, and what limits the sender still limits the recipient', async () => {
  const [here, there] = [await makePlace(), await makePlace()]
  const friend = await organisation.addPerson({ role: 'Staff' })
  await share(here.sid, { uuid: here.uuid, group_id: there.group.groupUuid, expires: 60 })
  const passed = (await received(there, here.study.study_uid))?.uuid
  expect(await share(there.sid, { uuid: passed, user_id: friend.userUuid, expires: 30 })).toEqual(done)
  const endOf = async (person: { sid: string }) => {
    const record = (await received(person, here.study.study_uid))?.uuid
    const { body } = await call('study/share/access', { sid: person.sid, uuid: record })
    return Date.parse(body.received[0].expires_at.replace(' ', 'T').replace('+00', 'Z'))
  }
  const minutesOf = async (person: { sid: string }) => Math.round(((await endOf(person)) - Date.now()) / 60_000)
  const toFriend = { uuid: passed, user_id: friend.userUuid }
  expect((await extend(there.sid, { ...toFriend, minutes_left: 10 })).error_type).toBe('INVALID_FIELD')
  expect((await extend(there.sid, { ...toFriend, minutes_left: 0 })).error_type).toBe('INVALID_FIELD')
  expect(await extend(there.sid, { ...toFriend, minutes_left: 600 })).toMatchObject(done)
  expect(await minutesOf(friend)).toBe(60)
  const toGroup = { uuid: here.uuid, group_id: there.group.groupUuid }
  expect(await extend(here.sid, { ...toGroup, minutes_left: 120 })).toMatchObject(done)
  expect([await minutesOf(there), await minutesOf(friend)]).toEqual([120, 60])
  expect((await extend(here.sid, { uuid: here.uuid, user_id: friend.userUuid, minutes_left: 9 })).error_type).toBe(
    'NOT_FOUND',
  )
  await share(here.sid, { uuid: here.uuid, account_id: partner.accountUuid, expires: 0 })
  const endless = { uuid: here.uuid, account_id: partner.accountUuid, minutes_left: 60 }
  expect((await extend(here.sid, endless)).error_type).toBe('EXPIRED')
  const [work] = await query<{ count: string }>(
    `select count(*) from work where job = 'end-share' and run_at > now() + interval '119 minutes'`,
  )
  expect(Number(work?.count)).toBeGreaterThan(0)
})
