import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { mailLinkActs } from '../../areas/link/mail-link.job.ts'
import { deliverShareActs } from '../../areas/study/deliver-share.job.ts'

const { services, call, query } = await startTestApp()
const { accountUuid, makePlace, organisation, received, share, stop } = await makeSharing({ services, call })

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

it('gives attached files along for those alone who may see them', async () => {
  const { group, study, uuid } = await makePlace()
  const to = await organisation.addPerson()
  const { sid, userUuid } = await organisation.addPerson({ groups: [group] })
  const hold = (permissions: string) =>
    query(`with made as (
        insert into role (uuid, account_uuid, name, permissions)
        values (gen_random_uuid(), '${accountUuid}', '${permissions}', '{${permissions}}') returning uuid
      ) update group_user set role_uuid = made.uuid from made where user_uuid = '${userUuid}'`)
  const sent = { uuid, user_id: to.userUuid, attachments: 1 }
  await hold('study_view,study_share,study_share_user')
  expect(await share(sid, sent)).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'attachments' })
  await hold('study_view,study_share,study_share_user,study_report_view')
  expect(await share(sid, sent)).toEqual(done)
  expect(await received(to, study.study_uid)).toBeDefined()
  // bringing back what was stopped gives them again
  const named = { uuid, user_id: to.userUuid }
  expect(await stop(sid, named)).toEqual(done)
  await hold('study_share,study_view,study_share_user')
  expect(await stop(sid, { ...named, restore: 1 })).toMatchObject({ error_type: 'NOT_PERMITTED' })
  await hold('study_share,study_view,study_share_user,study_report_view')
  expect(await stop(sid, { ...named, restore: 1 })).toEqual(done)
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
  // a gatekeeper group takes nominations, from the groups that nominate to it
  const unnominated = { error_type: 'NOT_PERMITTED', error_subtype: 'group_id' }
  expect(await share(sid, { uuid, group_id: gate.groupUuid })).toMatchObject(unnominated)
  for (const one of [{ user_id: stranger.userUuid }, { group_id: theirGroup.groupUuid }])
    expect(await share(sid, { uuid, ...one })).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await share(sid, { uuid })).toMatchObject({ error_type: 'INVALID_PARAMETERS' })
  const both = { user_id: to.userUuid, group_id: closed.groupUuid }
  expect(await share(sid, { uuid, ...both })).toMatchObject({ error_type: 'INVALID_PARAMETERS' })
  const toUser = { uuid, user_id: to.userUuid }
  for (const wrong of [{ delay: -1 }, { delay: 2_592_001 }, { expires: -1 }, { message: 'x'.repeat(2001) }])
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

/** A sender whose rights in the place of a study are changed at will. */
async function makeSender() {
  const { group, study, uuid } = await makePlace()
  const { sid, userUuid } = await organisation.addPerson({ groups: [group] })
  const hold = (permissions: string) =>
    query(`with made as (
        insert into role (uuid, account_uuid, name, permissions)
        values (gen_random_uuid(), '${accountUuid}', gen_random_uuid()::text, '{study_view,${permissions}}') returning uuid
      ) update group_user set role_uuid = made.uuid from made where user_uuid = '${userUuid}'`)
  return { sid, study, uuid, userUuid, hold }
}
const mailLater = (linkUuid: string) =>
  mailLinkActs.run(services, { linkUuid, address: 'https://hilum.example' }, running)
const running = { signal: new AbortController().signal } as never // neither job looks at its work
const mailsTo = (address: string) => query(`select from mail where recipient = '${address}'`)

it('what is mailed later leaves with no right that its sender may not give any more', async () => {
  const email = 'study_share,study_share_email'
  const losses = {
    download: async ({ hold }: Awaited<ReturnType<typeof makeSender>>) => hold(email),
    attachments: async ({ hold }: Awaited<ReturnType<typeof makeSender>>) => hold(email),
    fields: async ({ userUuid }: Awaited<ReturnType<typeof makeSender>>) =>
      query(`insert into setting (scope, scope_uuid, key, value)
        select 'role', role_uuid, 'study_field_flags', '{"study_field_patient_name":"H"}'
        from group_user where user_uuid = '${userUuid}'`),
  }
  for (const [lost, lose] of Object.entries(losses)) {
    const sender = await makeSender()
    await sender.hold(`${email},study_download,study_report_view`)
    const address = `${lost}@clinic.example`
    const given = lost === 'fields' ? {} : { [lost]: 1 }
    const sent = await share(sender.sid, { uuid: sender.uuid, email: address, delay: 600, ...given })
    expect(sent).toMatchObject(done)
    await lose(sender)
    const now = { uuid: sender.uuid, email: `now-${address}`, ...given }
    expect(await share(sender.sid, now)).toMatchObject({ error_type: 'NOT_PERMITTED' })
    await mailLater(sent.user_invite_share_id[0])
    expect(await mailsTo(address)).toEqual([])
    expect(await query(`select send_failure from link where email = '${address}'`)).toEqual([
      { send_failure: 'NOT_PERMITTED' },
    ])
  }
})

it('what is delivered later gives no attached files that its sender may not see any more, and nobody an own copy', async () => {
  const ways = 'study_share,study_share_user'
  for (const isOwn of [false, true]) {
    const { sid, study, uuid, userUuid, hold } = await makeSender()
    const to = isOwn ? { userUuid, sid } : await organisation.addPerson()
    await hold(`${ways},study_report_view,study_download`)
    const sent = { uuid, user_id: to.userUuid, delay: 600, ...(isOwn ? {} : { attachments: 1 }) }
    expect(await share(sid, sent)).toEqual(done)
    await hold(ways)
    const [row] = await query<{ uuid: string }>(`select uuid from share where study_uuid = '${uuid}'`)
    await deliverShareActs.run(services, { shareUuid: row?.uuid ?? '' }, running)
    expect(await query(`select state, failure from share where study_uuid = '${uuid}'`)).toEqual([
      { state: 'failed', failure: 'NOT_PERMITTED' },
    ])
    expect(await query(`select from study where study_uid = '${study.study_uid}' and source = 'share'`)).toEqual([])
  }
})

it('a share with attached files is extended by those alone who may see them', async () => {
  const { sid, uuid, hold } = await makeSender()
  const to = await organisation.addPerson()
  await hold('study_share,study_share_user,study_report_view')
  expect(await share(sid, { uuid, user_id: to.userUuid, attachments: 1, expires: 60 })).toEqual(done)
  const extend = async () =>
    (await call('study/share/extend', { sid, uuid, user_id: to.userUuid, minutes_left: 600 })).body
  await hold('study_share,study_share_user')
  expect(await extend()).toMatchObject({ error_type: 'NOT_PERMITTED' })
  await hold('study_share,study_share_user,study_report_view')
  expect(await extend()).toMatchObject({ status: 'OK' })
})
