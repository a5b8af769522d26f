import { afterAll, expect, it, vi } from 'vitest'
import { makeOrganisation, makeStudy, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { jobs } from '../../areas/jobs.ts'
import { completeSharedStudies } from '../../areas/study/complete-shared.command.ts'
import { startRunner } from './run-work.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const runner = await startRunner(
  services,
  jobs.filter(({ name }) => ['deliver-share', 'end-share'].includes(name)),
  { pollMs: 20 },
)
afterAll(() => runner.stop())

async function makePlace(role = 'Staff') {
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ role, groups: [group] })
  const study = await makeStudy(services.db, { ...group, accountUuid }, { patient_name: 'DOE^JANE' })
  return { group, person, sid: person.sid, study, uuid: study.uuid }
}
const share = async (sid: string, sent: object) => (await call('study/share', { sid, ...sent })).body
const stop = async (sid: string, sent: object) => (await call('study/share/stop', { sid, ...sent })).body
const done = { status: 'OK' }

interface Listed {
  uuid: string
  study_uid: string
  source: string
  has_direct_shares: number
  share_message?: string
  arrival: string
}
const listed = async (sid: string, filter: object = {}): Promise<Listed[]> =>
  (await call('study/list', { sid, ...filter })).body.studies
/** The one study of this UID that a person sees besides those of other places. */
const received = async ({ sid }: Pick<Person, 'sid'>, studyUid: string) =>
  (await listed(sid)).find((one) => one.study_uid === studyUid)
const accessOf = async (sid: string, uuid: string) => (await call('study/share/access', { sid, uuid })).body

it('[SHARE-01][SHARE-03][ENTITY-29] gives a user the study in My studies, with a trimmed message, and the sender the list of access', async () => {
  const { group, person, sid, study, uuid } = await makePlace()
  const to = await organisation.addPerson()
  expect(await share(sid, { uuid, user_id: to.userUuid, message: '  Please look at this \n' })).toEqual(done)
  const found = await received(to, study.study_uid)
  expect(found).toMatchObject({
    source: 'share',
    share_message: 'Please look at this',
    phi_namespace: to.namespaceUuid,
    storage_namespace: group.namespaceUuid,
    patient_name: 'DOE^JANE',
    unread: 1,
  })
  expect(await received(person, study.study_uid)).toMatchObject({ uuid, has_direct_shares: 1 })
  const access = await accessOf(sid, uuid)
  expect(access.owner).toMatchObject({ kind: 'group' })
  expect(access.shares).toMatchObject([
    { kind: 'user', uuid: to.userUuid, name: to.name, user_email: to.email, state: 'delivered', by_name: person.name },
  ])
  const there = await accessOf(to.sid, found?.uuid ?? '')
  expect(there).toMatchObject({
    owner: { kind: 'user' },
    received: [{ by_name: person.name, message: 'Please look at this', expires_at: null }],
    shares: [],
  })
})

it('[SHARE-01] gives all members of a group the study, by GET and triplet, with nothing said as no message', async () => {
  const { group, sid, study, uuid } = await makePlace()
  const other = await organisation.addGroup()
  const [one, two] = [
    await organisation.addPerson({ groups: [other] }),
    await organisation.addPerson({ groups: [other], role: 'Viewer' }),
  ]
  const triplet = { study_uid: study.study_uid, storage_namespace: group.namespaceUuid }
  const { body } = await call(
    'study/share',
    { sid, ...triplet, group_id: other.groupUuid, message: ' ' },
    { method: 'GET' },
  )
  expect(body).toEqual(done)
  const found = await received(one, study.study_uid)
  expect(found).toMatchObject({ source: 'share', share_message: '' })
  expect((await received(two, study.study_uid))?.uuid).toBe(found?.uuid)
  expect((await call('study/share/list', { sid, uuid, name: 1 })).body.group_id).toHaveLength(1)
})

it('[SHARE-04][API-54] stops a share for one user and one group: the study is gone for them at once, and stays for others', async () => {
  const { person, sid, study, uuid } = await makePlace()
  const [one, two] = [await organisation.addPerson({ role: 'Administrator' }), await organisation.addPerson()]
  const other = await organisation.addGroup()
  const member = await organisation.addPerson({ groups: [other] })
  for (const to of [{ user_id: one.userUuid }, { user_id: two.userUuid }, { group_id: other.groupUuid }])
    expect(await share(sid, { uuid, ...to })).toEqual(done)
  const theirs = (await received(one, study.study_uid))?.uuid ?? ''
  expect(await stop(sid, { uuid, user_id: one.userUuid })).toEqual(done)
  expect(await received(one, study.study_uid)).toBeUndefined()
  expect((await call('study/get', { sid: one.sid, uuid: theirs })).body.error_type).toBe('NOT_FOUND')
  // nor in the bin of those who may restore
  expect(await listed(one.sid, { 'filter.is_deleted.equals': 1 })).toEqual([])
  expect((await call('study/revive', { sid: one.sid, uuid: theirs })).body.error_type).toBe('NOT_FOUND')
  expect(await received(two, study.study_uid)).toBeDefined()
  expect(await stop(sid, { uuid, group_id: other.groupUuid })).toEqual(done)
  expect(await received(member, study.study_uid)).toBeUndefined()
  expect(await received(person, study.study_uid)).toMatchObject({ has_direct_shares: 1 })
  expect(await stop(sid, { uuid, user_id: two.userUuid })).toEqual(done)
  expect(await received(person, study.study_uid)).toMatchObject({ has_direct_shares: 0 })
  expect(await stop(sid, { uuid, user_id: two.userUuid })).toMatchObject({
    error_type: 'NOT_FOUND',
    error_subtype: 'user_id',
  })
  // shared anew it is there again
  expect(await share(sid, { uuid, user_id: one.userUuid })).toEqual(done)
  expect(await received(one, study.study_uid)).toBeDefined()
})

it('takes back with a share whatever was passed on from it, but not what somebody has from elsewhere', async () => {
  const { sid, study, uuid } = await makePlace()
  const [one, two, three] = [await makePlace(), await makePlace(), await makePlace()]
  await share(sid, { uuid, group_id: one.group.groupUuid })
  await share(sid, { uuid, group_id: three.group.groupUuid })
  const ofOne = (await received(one, study.study_uid))?.uuid
  await share(one.sid, { uuid: ofOne, group_id: two.group.groupUuid })
  await share(one.sid, { uuid: ofOne, group_id: three.group.groupUuid })
  const ofTwo = (await received(two, study.study_uid))?.uuid
  const last = await organisation.addPerson()
  await share(two.sid, { uuid: ofTwo, user_id: last.userUuid })
  expect(await received(last, study.study_uid)).toBeDefined()
  await stop(sid, { uuid, group_id: one.group.groupUuid })
  for (const gone of [one, two, last]) expect(await received(gone, study.study_uid)).toBeUndefined()
  expect(await received(three, study.study_uid)).toBeDefined()
  expect((await accessOf(sid, uuid)).shares).toHaveLength(1)
})

it('changes nothing by sharing again, and makes the study anew for a recipient who deleted it', async () => {
  const { sid, study, uuid } = await makePlace()
  const other = await makePlace()
  const to = { uuid, group_id: other.group.groupUuid }
  await share(sid, { ...to, message: 'First' })
  const before = await received(other, study.study_uid)
  expect(await share(sid, { ...to, message: 'Second' })).toEqual(done)
  expect(await received(other, study.study_uid)).toMatchObject({ uuid: before?.uuid, share_message: 'First' })
  await call('study/delete', { sid: other.sid, uuid: before?.uuid })
  expect(await received(other, study.study_uid)).toBeUndefined()
  expect(await share(sid, { ...to, message: 'Third' })).toEqual(done)
  const after = await received(other, study.study_uid)
  expect(after).toMatchObject({ share_message: 'Third' })
  expect(after?.uuid).not.toBe(before?.uuid)
})

it('adds a source to the record that the recipient has of the study, and refuses when it names another patient', async () => {
  const { sid, study, uuid } = await makePlace()
  const [same, other] = [await makePlace(), await makePlace()]
  const patient = `patientid = 'M1', issuer = 'HOME', patient_birth_date = '19700101', patient_sex = 'F'`
  await query(`update study set ${patient} where uuid = '${uuid}'`)
  await query(`update study set study_uid = '${study.study_uid}', ${patient} where uuid = '${same.uuid}'`)
  await query(`update study set study_uid = '${study.study_uid}', patient_name = 'ROE^RICHARD', patientid = 'M2',
    issuer = 'HOME', patient_birth_date = '19500505', patient_sex = 'M' where uuid = '${other.uuid}'`)
  expect(await share(sid, { uuid, group_id: same.group.groupUuid })).toEqual(done)
  expect(await received(same, study.study_uid)).toMatchObject({ uuid: same.uuid, source: 'upload' })
  const refused = await share(sid, { uuid, group_id: other.group.groupUuid })
  expect(refused).toMatchObject({ error_type: 'SHARE_FAILED', error_subtype: 'OTHER_PATIENT' })
  // the reasons without what the other record says
  expect(refused.error_data.reasons).toEqual(expect.arrayContaining(['name-different', 'birth-date-different']))
  expect(JSON.stringify(refused)).not.toMatch(/ROE|1950|M2/)
  expect((await accessOf(sid, uuid)).shares).toHaveLength(1)
  // the recipient's own record outlives the share
  await stop(sid, { uuid, group_id: same.group.groupUuid })
  expect(await received(same, study.study_uid)).toMatchObject({
    uuid: same.uuid,
    storage_namespace: same.group.namespaceUuid,
  })
})

it('ends a share at the second, for everybody who has it from there, before any work has cleared it away', async () => {
  const { sid, study, uuid } = await makePlace()
  const [other, last] = [await makePlace(), await organisation.addPerson()]
  await share(sid, { uuid, group_id: other.group.groupUuid, expires: 60 })
  const theirs = (await received(other, study.study_uid))?.uuid
  await share(other.sid, { uuid: theirs, user_id: last.userUuid })
  expect((await accessOf(sid, uuid)).shares).toMatchObject([{ expires: 60, expires_at: expect.any(String) }])
  const counted = async () => (await call('study/count', { sid: last.sid })).body.count
  expect(await counted()).toBe(1)
  // the clock, without the work that waits for it
  await query(`update work set run_at = now() + interval '1 day' where job = 'end-share'`)
  await query(`update share set expires_at = now() where study_uuid = '${uuid}'`)
  await query(`update study_source set ends_at = now() where ends_at is not null`)
  for (const gone of [other, last]) expect(await received(gone, study.study_uid)).toBeUndefined()
  expect(await counted()).toBe(0)
  expect((await call('study/get', { sid: other.sid, uuid: theirs })).body.error_type).toBe('NOT_FOUND')
  expect((await accessOf(sid, uuid)).shares).toEqual([])
  expect((await call('study/share/list', { sid, uuid })).body.group_id).toEqual([])
  // its place is free for another share
  expect(await share(sid, { uuid, group_id: other.group.groupUuid })).toEqual(done)
  expect(await received(other, study.study_uid)).toBeDefined()
})

it('clears away what a share gave when its time is over', async () => {
  const { person, sid, study, uuid } = await makePlace()
  const to = await organisation.addPerson()
  await share(sid, { uuid, user_id: to.userUuid, expires: 60 })
  const theirs = (await received(to, study.study_uid))?.uuid
  await query(`update share set expires_at = now() where study_uuid = '${uuid}'`)
  await query(`update work set run_at = now() where job = 'end-share'`)
  await vi.waitFor(
    async () =>
      expect(await query(`select state, ended_by from share where study_uuid = '${uuid}'`)).toEqual([
        { state: 'stopped', ended_by: null },
      ]),
    { timeout: 20_000 },
  )
  expect(await query(`select from study where uuid = '${theirs}' and deleted_at is not null`)).toHaveLength(1)
  expect(await received(person, study.study_uid)).toMatchObject({ has_direct_shares: 0 })
})

it('[SEND-04] delivers a delayed share later, asks for the right again then, and forgets one that was stopped', async () => {
  const { group, person, sid, study, uuid } = await makePlace()
  const [first, second, third] = [
    await organisation.addPerson(),
    await organisation.addPerson(),
    await organisation.addPerson(),
  ]
  for (const { userUuid } of [first, second, third])
    expect(await share(sid, { uuid, user_id: userUuid, delay: 180 })).toEqual(done)
  expect(await received(first, study.study_uid)).toBeUndefined()
  const waiting = { state: 'scheduled', run_at: expect.any(String) }
  expect((await accessOf(sid, uuid)).shares).toMatchObject([waiting, waiting, waiting])
  expect(await received(person, study.study_uid)).toMatchObject({ has_direct_shares: 0 })
  expect(await stop(sid, { uuid, user_id: first.userUuid })).toEqual(done)
  // who asks for it without a delay has it at once
  expect(await share(sid, { uuid, user_id: second.userUuid })).toEqual(done)
  expect(await received(second, study.study_uid)).toBeDefined()
  await query(`delete from group_user where group_uuid = '${group.groupUuid}'`)
  await query(`update work set run_at = now() where job = 'deliver-share'`)
  const failed = `select to_uuid from share where study_uuid = '${uuid}' and state = 'failed' and failure = 'NOT_PERMITTED'`
  await vi.waitFor(async () => expect(await query(failed)).toEqual([{ to_uuid: third.userUuid }]), { timeout: 20_000 })
  for (const none of [first, third]) expect(await received(none, study.study_uid)).toBeUndefined()
})

it('[SEND-04] delivers a delayed share when its time has come', async () => {
  const { sid, study, uuid } = await makePlace()
  const to = await organisation.addPerson()
  await share(sid, { uuid, user_id: to.userUuid, delay: 180, message: 'Later' })
  await query(`update work set run_at = now() where job = 'deliver-share'`)
  await vi.waitFor(async () => expect(await received(to, study.study_uid)).toMatchObject({ share_message: 'Later' }), {
    timeout: 20_000,
  })
})

it('mails a recipient that something waits and where, naming nobody, unless that person chose otherwise', async () => {
  const { person, sid, uuid } = await makePlace()
  const [told, quiet, later] = [
    await organisation.addPerson(),
    await organisation.addPerson(),
    await organisation.addPerson(),
  ]
  const own = { namespace_id: quiet.namespaceUuid }
  expect((await call('user/event', { sid: quiet.sid, ...own })).body).toMatchObject({ event_share: 1 })
  expect((await call('user/event/set', { sid: quiet.sid, ...own, event_share: 0 })).body).toEqual(done)
  expect((await call('user/event', { sid: quiet.sid, ...own })).body).toMatchObject({ event_share: 0 })
  const mailsTo = ({ email }: Person) =>
    query<{ subject: string; body: string }>(`select subject, body from mail where recipient = '${email}'`)
  for (const { userUuid } of [told, quiet, person]) await share(sid, { uuid, user_id: userUuid, message: 'For JANE' })
  await share(sid, { uuid, user_id: later.userUuid, delay: 60 })
  expect(await mailsTo(later)).toEqual([])
  const mails = await mailsTo(told)
  expect(mails).toEqual([{ subject: 'An exam was shared with you', body: expect.stringMatching(/^http.*\n$/m) }])
  expect(JSON.stringify(mails)).not.toMatch(/DOE|JANE|Ada/)
  for (const one of [quiet, person]) expect(await mailsTo(one)).toEqual([])
  await query(`update work set run_at = now() where job = 'deliver-share'`)
  await vi.waitFor(async () => expect(await mailsTo(later)).toHaveLength(1), { timeout: 20_000 })
})

it('mails those members of a group who chose it, and nobody of what waits for approval', async () => {
  const { sid, uuid } = await makePlace()
  const [group, gated] = [await organisation.addGroup(), await organisation.addGroup()]
  await query(`update app_group set must_approve = true where uuid = '${gated.groupUuid}'`)
  const groups = [group, gated]
  const [chooser, other] = [await organisation.addPerson({ groups }), await organisation.addPerson({ groups })]
  for (const { namespaceUuid } of groups) {
    const place = { sid: chooser.sid, namespace_id: namespaceUuid }
    expect((await call('user/event', place)).body).toMatchObject({ event_share: 0 })
    expect((await call('user/event/set', { ...place, event_share: 1 })).body).toEqual(done)
  }
  for (const { groupUuid } of groups) await share(sid, { uuid, group_id: groupUuid })
  const mails = await query(
    `select recipient, subject from mail where recipient in ('${chooser.email}', '${other.email}')`,
  )
  expect(mails).toEqual([{ recipient: chooser.email, subject: 'An exam was shared with a group of yours' }])
})

it('[PERM-10][PERM-13] shares with people and with groups by a right to each', async () => {
  const { group, study, uuid } = await makePlace()
  const other = await organisation.addGroup()
  const to = await organisation.addPerson()
  const roleOf = async (permissions: string) => {
    const { sid, userUuid } = await organisation.addPerson({ groups: [group] })
    await query(`with made as (
        insert into role (uuid, account_uuid, name, permissions)
        values (gen_random_uuid(), '${accountUuid}', '${permissions}', '{study_view,${permissions}}') returning uuid
      ) update group_user set role_uuid = made.uuid from made where user_uuid = '${userUuid}'`)
    return sid
  }
  const people = await roleOf('study_share,study_share_user')
  const groups = await roleOf('study_share,study_share_group')
  const onlyShare = await roleOf('study_share')
  const without = await roleOf('study_share_user,study_share_group')
  const toUser = { uuid, user_id: to.userUuid }
  const toGroup = { uuid, group_id: other.groupUuid }
  expect(await share(groups, toUser)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  expect(await share(people, toGroup)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  expect((await call('study/share/who', { sid: people, uuid, type: 'group' })).body.error_type).toBe('NOT_PERMITTED')
  for (const sid of [onlyShare, without])
    for (const sent of [toUser, toGroup]) expect(await share(sid, sent)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  expect(await share(people, toUser)).toEqual(done)
  expect(await share(groups, toGroup)).toEqual(done)
  expect(await stop(groups, toUser)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  expect(await stop(people, toGroup)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  expect(await received(to, study.study_uid)).toBeDefined()
})

it('shares with oneself only what one may download and sees whole, since all is permitted in My studies', async () => {
  const { group, uuid } = await makePlace()
  const { sid, userUuid } = await organisation.addPerson({ groups: [group] })
  const own = { uuid, user_id: userUuid }
  const flags = (value: string) =>
    query(`insert into setting (scope, scope_uuid, key, value)
      values ('namespace', '${group.namespaceUuid}', 'study_field_flags', '${value}')
      on conflict (scope, scope_uuid, key) do update set value = excluded.value`)
  await flags('{"study_field_patient_name":"H"}')
  expect(await share(sid, own)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  await flags('{}')
  expect(await share(sid, own)).toEqual(done)
})

it('refuses what cannot be shared, and recipients that are none, with a reason', async () => {
  const { group, sid, uuid } = await makePlace()
  const closed = await organisation.addGroup()
  await query(`update app_group set no_share = true where uuid = '${closed.groupUuid}'`)
  const gate = await organisation.addGroup({ config: { group_designation: 'GATEKEEPER' } })
  const elsewhere = await makeOrganisation(services.db)
  const stranger = await elsewhere.addPerson()
  const theirGroup = await elsewhere.addGroup()
  const to = await organisation.addPerson()
  const failed = (subtype: string) => ({ error_type: 'SHARE_FAILED', error_subtype: subtype })
  expect(await share(sid, { uuid, group_id: group.groupUuid })).toMatchObject(failed('SAME'))
  expect(await share(sid, { uuid, group_id: closed.groupUuid })).toMatchObject(failed('NO_DESTINATION'))
  expect(await share(sid, { uuid, group_id: gate.groupUuid })).toMatchObject(failed('NO_DESTINATION'))
  for (const one of [{ user_id: stranger.userUuid }, { group_id: theirGroup.groupUuid }])
    expect(await share(sid, { uuid, ...one })).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await share(sid, { uuid })).toMatchObject({ error_type: 'INVALID_PARAMETERS' })
  const both = { user_id: to.userUuid, group_id: closed.groupUuid }
  expect(await share(sid, { uuid, ...both })).toMatchObject({ error_type: 'INVALID_PARAMETERS' })
  const toUser = { uuid, user_id: to.userUuid }
  for (const wrong of [{ delay: -1 }, { delay: 2_592_001 }, { expires: 0 }, { message: 'x'.repeat(2001) }])
    expect(await share(sid, { ...toUser, ...wrong })).toMatchObject({ error_type: 'INVALID_FIELD' })
  for (const [set, error] of [
    [`is_frozen = true`, { error_type: 'NOT_PERMITTED', error_subtype: 'frozen' }],
    [`is_frozen = false, arrival = 'announced'`, { error_type: 'PHANTOM' }],
    [`arrival = 'complete', thin = true`, { error_type: 'PHANTOM' }],
  ] as const) {
    await query(`update study set ${set} where uuid = '${uuid}'`)
    expect(await share(sid, toUser)).toMatchObject(error)
  }
  await query(`update study set thin = false where uuid = '${uuid}'`)
  await query(`update app_user set disabled = true where uuid = '${to.userUuid}'`)
  expect(await share(sid, toUser)).toMatchObject({ error_type: 'NOT_FOUND' })
})

it('waits in a group that approves what it is given', async () => {
  const { sid, study, uuid } = await makePlace()
  const other = await makePlace('Clinician')
  const approver = await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [other.group] })
  await query(`update app_group set must_approve = true where uuid = '${other.group.groupUuid}'`)
  await share(sid, { uuid, group_id: other.group.groupUuid })
  expect(await received(other, study.study_uid)).toBeUndefined()
  expect(await received(approver, study.study_uid)).toMatchObject({ source: 'share', must_approve: 1 })
})

it('[SHARE-05][API-53] answers each study of a bundle for itself', async () => {
  const { sid, study, uuid } = await makePlace()
  const foreign = await makePlace()
  const to = await organisation.addPerson()
  const items = [uuid, foreign.uuid].map((one) => ({ URL: '/study/share', sid, uuid: one, user_id: to.userUuid }))
  const { body } = await call('bundle', {}, { body: items })
  expect(body).toMatchObject([
    { status: 'OK', HTTP_STATUS_CODE: '200' },
    { error_type: 'NOT_FOUND', HTTP_STATUS_CODE: '412' },
  ])
  expect(await received(to, study.study_uid)).toBeDefined()
  expect(await received(to, foreign.study.study_uid)).toBeUndefined()
})

it('[API-52][ENTITY-29] finds people and groups of the account by parts of names and addresses, whatever their case and accents, page by page', async () => {
  const { sid, uuid } = await makePlace()
  const anna = await organisation.addPerson({ email: 'amueller@hospital.example' })
  await query(`update app_user set first_name = 'Änna', last_name = 'Müller' where uuid = '${anna.userUuid}'`)
  await organisation.addGroup({ name: 'Röntgen Nord' })
  const find = async (type: string, search: string, more: object = {}) =>
    (await call('study/share/who', { sid, uuid, type, search, ...more })).body.shares
  const found = [{ uuid: anna.userUuid, name: 'Änna Müller', user_email: 'amueller@hospital.example' }]
  for (const search of ['muller', 'MÜLLER anna', 'amueller@', 'ann mül'])
    expect(await find('user', search)).toEqual(found)
  expect(await find('user', 'muller otto')).toEqual([])
  expect(await find('group', 'ronTGen')).toMatchObject([{ name: 'Röntgen Nord', user_email: '' }])
  expect(await find('group', '%')).toEqual([])
  expect(await find('account', '')).toEqual([])
  const [first] = await find('user', '', { 'page.rows': 1, 'page.number': 1 })
  const [second] = await find('user', '', { 'page.rows': 1, 'page.number': 2 })
  expect(first.uuid).not.toBe(second.uuid)
  expect((await call('study/share/who', { sid, uuid, type: 'planet' })).body.error_type).toBe('INVALID_TYPE')
})

it('puts sharing and its end on record on both sides, and tells those who watch either', async () => {
  const { group, person, sid, study, uuid } = await makePlace()
  const to = await organisation.addPerson()
  await share(sid, { uuid, user_id: to.userUuid })
  const theirs = (await received(to, study.study_uid))?.uuid ?? ''
  const historyOf = async (asker: string, one: string) =>
    (await call('audit/object', { sid: asker, uuid: one })).body.events.map(
      ({ action, type, who, with: party }: Record<string, string>) => [action, type, who, party],
    )
  expect(await historyOf(to.sid, theirs)).toEqual([['CREATE', 'Study_share', person.name, person.name]])
  await stop(sid, { uuid, user_id: to.userUuid })
  expect(await historyOf(sid, uuid)).toEqual([
    ['DELETE', 'Study_share', person.name, to.name],
    ['CREATE', 'Study_share', person.name, to.name],
  ])
  const events = await query<{ namespace_uuid: string; uuid: string }>(
    `select namespace_uuid, uuid from event where uuid in ('${uuid}', '${theirs}') order by id`,
  )
  const [mine, other] = [
    { namespace_uuid: group.namespaceUuid, uuid },
    { namespace_uuid: to.namespaceUuid, uuid: theirs },
  ]
  expect(events).toEqual([mine, other, other, mine])
})

it('shows a study that is still arriving as receiving at its recipients too, until it is complete at the sender', async () => {
  const { sid, study, uuid } = await makePlace()
  const to = await organisation.addPerson()
  await query(`update study set arrival = 'receiving', complete_at = now() + interval '1 hour' where uuid = '${uuid}'`)
  await share(sid, { uuid, user_id: to.userUuid })
  expect(await received(to, study.study_uid)).toMatchObject({ arrival: 'receiving', phantom: 1 })
  await completeSharedStudies(services)
  expect(await received(to, study.study_uid)).toMatchObject({ arrival: 'receiving' })
  await query(`update study set arrival = 'incomplete', complete_at = null where uuid = '${uuid}'`)
  await completeSharedStudies(services)
  expect(await received(to, study.study_uid)).toMatchObject({ arrival: 'incomplete', phantom: 0 })
})

it('tells a person of another account nothing of people and groups, from My studies neither', async () => {
  const { sid, study, uuid } = await makePlace()
  const to = await organisation.addPerson()
  await share(sid, { uuid, user_id: to.userUuid })
  const theirs = (await received(to, study.study_uid))?.uuid ?? ''
  await query(`update account_user set disabled = true where user_uuid = '${to.userUuid}'`)
  expect((await call('study/share/who', { sid: to.sid, uuid: theirs, type: 'user' })).body.shares).toEqual([])
  const group = await organisation.addGroup()
  expect(await share(to.sid, { uuid: theirs, group_id: group.groupUuid })).toMatchObject({ error_type: 'NOT_FOUND' })
})
