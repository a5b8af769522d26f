import { setTimeout as delay } from 'node:timers/promises'
import { newUid } from '@hilum/dicom/uid'
import { expect, it } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { mailLinkActs } from '../../areas/link/mail-link.job.ts'
import { deliverShareActs } from '../../areas/study/deliver-share.job.ts'
import { listTracked } from '../../areas/study/share-track.sql.ts'

const { services, app, call, query } = await startTestApp()
const { accessOf, accountUuid, makePlace, organisation, received, share, stop } = await makeSharing({ services, call })

/** Another organisation, with a person who sees its Organisation inbox. */
async function makePartner(isConnected = true) {
  const partner = await makeOrganisation(services.db)
  const person = await partner.addPerson({ role: 'Staff' })
  if (isConnected)
    await query(`insert into account_connection (uuid, asking_account, asked_account, connected_at)
      values (gen_random_uuid(), '${accountUuid}', '${partner.accountUuid}', now())`)
  return { ...partner, person }
}
const run = { work: 'w', signal: new AbortController().signal }
const linksOf = async (uuid: string) =>
  query<{ uuid: string; email: string; minutes: number; has_password: boolean; is_dob: boolean; ended: boolean }>(
    `select l.uuid, l.email, round(extract(epoch from l.expires_at - l.created) / 60)::integer as minutes,
      l.password_hash is not null as has_password, l.password_is_dob as is_dob, l.ended_at is not null as ended
    from link l join link_study s on s.link_uuid = l.uuid where s.study_uuid = '${uuid}' order by l.email`,
  )

it('[SEND-01][API-53][ENTITY-29] sends a study to a connected account, where it lies in the Organisation inbox', async () => {
  const { sid, study, uuid, person } = await makePlace()
  const to = await makePartner()
  const who = await call('study/share/who', { sid, uuid, type: 'account' })
  expect(who.body.shares).toContainEqual({ uuid: to.accountUuid, name: expect.any(String), user_email: '' })
  expect(await share(sid, { uuid, account_id: to.accountUuid, message: 'For the tumour board' })).toEqual(done)
  const found = await received(to.person, study.study_uid)
  expect(found).toMatchObject({
    source: 'share',
    phi_namespace: to.namespaceUuid,
    share_message: 'For the tumour board',
  })
  expect(await accessOf(to.person.sid, found?.uuid ?? '')).toMatchObject({
    owner: { kind: 'account' },
    received: [{ by_name: person.name, expires_at: null }],
  })
  expect((await accessOf(sid, uuid)).shares).toMatchObject([
    { kind: 'account', uuid: to.accountUuid, state: 'delivered' },
  ])
  // many organisations have a group of one name, and people too
  const [own] = await query<{ name: string }>(`select name from account where uuid = '${accountUuid}'`)
  const shown = await accessOf(to.person.sid, found?.uuid ?? '')
  expect(shown).toMatchObject({ keep_refused: 'allow_copies', received: [{ from_account: own?.name }] })
  const history = (await call('audit/object', { sid: to.person.sid, uuid: found?.uuid })).body.events as object[]
  expect(history).toContainEqual(
    expect.objectContaining({
      action: 'CREATE',
      detail: expect.objectContaining({ with: `${person.name}, ${own?.name}` }),
    }),
  )
  expect((await call('study/share/list', { sid, uuid })).body.account_id).toEqual([to.accountUuid])
  const audited = await query<{ account_uuid: string; client_address: string }>(
    `select account_uuid, client_address from audit where type = 'Study_share' and object_uuid in ('${uuid}', '${found?.uuid}')`,
  )
  expect(new Set(audited.map((row) => row.account_uuid))).toEqual(new Set([accountUuid, to.accountUuid]))
  // another organisation does not learn from which machine it came
  const addresses = (of: string) => audited.filter((row) => row.account_uuid === of).map((row) => row.client_address)
  expect([addresses(accountUuid).includes(''), addresses(to.accountUuid)]).toEqual([false, ['']])
  expect(await stop(sid, { uuid, account_id: to.accountUuid })).toEqual(done)
  expect(await received(to.person, study.study_uid)).toBeUndefined()
})

it('ending a connection stops all that was sent over it where that is asked for, and nothing else', async () => {
  const { sid, study, uuid } = await makePlace()
  const [to, other] = [await makePartner(), await makePartner()]
  const admin = await organisation.addPerson({ role: 'Administrator' })
  for (const account_id of [to.accountUuid, other.accountUuid])
    expect(await share(sid, { uuid, account_id })).toEqual(done)
  const connectionsOf = async () =>
    (await call('account/connect/list', { sid: admin.sid, account_id: accountUuid })).body.connections as {
      uuid: string
      account_name: string
      sent_count: number
    }[]
  const [row] = await query<{ uuid: string }>(
    `select uuid from account_connection where asked_account = '${to.accountUuid}'`,
  )
  const connection = (await connectionsOf()).find((one) => one.uuid === row?.uuid)
  expect(connection).toMatchObject({ sent_count: 1 })
  const end = { sid: admin.sid, account_id: accountUuid, uuid: connection?.uuid, stop_sent: 1 }
  expect((await call('account/connect/end', { ...end, sid })).body.status).not.toBe('OK')
  expect((await call('account/connect/end', end)).body).toMatchObject({ status: 'OK', stopped: 1 })
  expect(await received(to.person, study.study_uid)).toBeUndefined()
  expect(await received(other.person, study.study_uid)).toBeDefined()
  expect((await connectionsOf()).some((one) => one.uuid === connection?.uuid)).toBe(false)
  expect((await call('account/connect/end', end)).body.error_type).toBe('NOT_FOUND')
})

it('mails those of the receiving account who chose to be told, without names', async () => {
  const { sid, uuid } = await makePlace()
  const to = await makePartner()
  await to.addPerson()
  await call('user/event/set', { sid: to.person.sid, namespace_id: to.namespaceUuid, event_share: 1 })
  expect(await share(sid, { uuid, account_id: to.accountUuid, message: 'About Jane' })).toEqual(done)
  const mails = await query<{ recipient: string; subject: string; body: string }>(
    `select recipient, subject, body from mail where account_uuid = '${to.accountUuid}'`,
  )
  expect(mails).toMatchObject([{ recipient: to.person.email, subject: 'An exam was sent to your organisation' }])
  for (const { subject, body } of mails) expect(subject + body).not.toMatch(/jane|doe|ada/i)
})

it('[SEND-01] sends to no account that is not connected, or not any more', async () => {
  const { sid, uuid } = await makePlace()
  const [stranger, former] = [await makePartner(false), await makePartner()]
  await query(`update account_connection set ended_at = now() where asked_account = '${former.accountUuid}'`)
  const asking = await makePartner(false)
  await query(`insert into account_connection (uuid, asking_account, asked_account)
    values (gen_random_uuid(), '${asking.accountUuid}', '${accountUuid}')`)
  for (const to of [stranger, former, asking])
    expect(await share(sid, { uuid, account_id: to.accountUuid })).toMatchObject({
      error_type: 'NOT_FOUND',
      error_subtype: 'account_id',
    })
})

it('[SEND-06] refuses a study that is of another patient there, with the reasons', async () => {
  const { sid, study, uuid } = await makePlace()
  const to = await makePartner()
  const place = { namespaceUuid: to.namespaceUuid, accountUuid: to.accountUuid }
  const other = await makeStudy(services.db, place, { patient_name: 'ROE^RICHARD' })
  await query(
    `update study set study_uid = '${study.study_uid}', patient_birth_date = '19500505' where uuid = '${other.uuid}'`,
  )
  await query(`update study set patient_birth_date = '19800101' where uuid = '${uuid}'`)
  expect(await share(sid, { uuid, account_id: to.accountUuid })).toMatchObject({
    error_type: 'SHARE_FAILED',
    error_subtype: 'OTHER_PATIENT',
    error_data: { reasons: expect.arrayContaining(['name-different']) },
  })
})

it('ends the access of other accounts as the account says, unless the sender says otherwise', async () => {
  const { sid, uuid } = await makePlace()
  const [usual, chosen, never] = [await makePartner(), await makePartner(), await makePartner()]
  const group = await organisation.addGroup()
  await query(`insert into setting (scope, scope_uuid, key, value)
    values ('account', '${accountUuid}', 'share_expires_minutes', '1440')`)
  await share(sid, { uuid, account_id: usual.accountUuid })
  await share(sid, { uuid, account_id: chosen.accountUuid, expires: 60 })
  await share(sid, { uuid, account_id: never.accountUuid, expires: 0 })
  await share(sid, { uuid, group_id: group.groupUuid })
  await query(`delete from setting where key = 'share_expires_minutes'`)
  const { shares } = await accessOf(sid, uuid)
  const expiresOf = (to: string) => shares.find((one: { uuid: string }) => one.uuid === to).expires
  expect([usual, chosen, never].map((to) => expiresOf(to.accountUuid))).toEqual([1440, 60, null])
  expect(expiresOf(group.groupUuid)).toBeNull()
})

it('[SEND-04][API-53] mails each address a link of its own, with neither name nor message in the mail', async () => {
  const { sid, uuid } = await makePlace()
  const email = 'first@clinic.example, second@clinic.example;FIRST@clinic.example'
  const sent = { email, message: 'About Jane', password: 'lantern boat', expires: 1440 }
  expect(await share(sid, { uuid, ...sent })).toMatchObject({ ...done, user_invite_share_id: { length: 2 } })
  const links = await linksOf(uuid)
  expect(links).toMatchObject([
    { email: 'first@clinic.example', minutes: 1440, has_password: true },
    { email: 'second@clinic.example' },
  ])
  const mails = await query<{ recipient: string; subject: string; body: string }>(
    `select recipient, subject, body from mail where recipient like '%@clinic.example' order by recipient`,
  )
  expect(mails.map((one) => one.recipient)).toEqual(['first@clinic.example', 'second@clinic.example'])
  for (const { subject, body } of mails) expect(subject + body).not.toMatch(/jane|doe|lantern/i)
  expect((await call('study/share/list', { sid, uuid, name: 1 })).body.user_invite_share_id).toEqual(
    links.map((one) => ({ uuid: one.uuid, name: one.email })),
  )
  expect(await stop(sid, { uuid, user_invite_share_id: links[0]?.uuid })).toEqual(done)
  expect(await linksOf(uuid)).toMatchObject([{ ended: true }, { ended: false }])
  expect(await query(`select from mail where recipient = 'first@clinic.example'`)).toEqual([])
})

it('[SEND-04] mails a delayed link when its time has come, and never once it was taken back', async () => {
  const { sid, uuid, person } = await makePlace()
  await query(`update study set patient_birth_date = '19800101' where uuid = '${uuid}'`)
  const send = (email: string) => share(sid, { uuid, email, delay: 180, password_is_dob: 1 })
  for (const email of ['later@clinic.example', 'never@clinic.example', 'left@clinic.example'])
    expect(await send(email)).toMatchObject(done)
  const [later, left, never] = await linksOf(uuid)
  expect(later).toMatchObject({ is_dob: true })
  expect(await stop(sid, { uuid, user_invite_share_id: never?.uuid })).toEqual(done)
  const mailed = async (uuidOfLink = '') => {
    await mailLinkActs.run(services, { linkUuid: uuidOfLink, address: 'https://hilum.example' }, run)
    await delay(0)
  }
  const recipients = async () =>
    (await query<{ recipient: string }>(`select recipient from mail where recipient ~ '^(later|never|left)@'`)).map(
      (row) => row.recipient,
    )
  expect(await recipients()).toEqual([])
  for (const one of [later, later, never]) await mailed(one?.uuid)
  expect(await recipients()).toEqual(['later@clinic.example'])
  await query(`update account_user set disabled = true where user_uuid = '${person.userUuid}'`)
  await mailed(left?.uuid)
  expect(await recipients()).toEqual(['later@clinic.example'])
})

it.each(['left the group', 'deleted the exam', 'lost the work'] as const)(
  'tells the sender that what was scheduled did not leave, by e-mail and to a group, once the sender %s',
  async (how) => {
    const { sid, uuid, person } = await makePlace()
    const { group: to } = await makePlace()
    expect(await share(sid, { uuid, email: 'late@clinic.example', delay: 180 })).toMatchObject(done)
    expect(await share(sid, { uuid, group_id: to.groupUuid, delay: 180 })).toMatchObject(done)
    const [link] = await linksOf(uuid)
    const [row] = await query<{ uuid: string }>(`select uuid from share where study_uuid = '${uuid}'`)
    const [linkUuid, shareUuid] = [link?.uuid ?? '', row?.uuid ?? '']
    if (how === 'left the group')
      await query(`update account_user set disabled = true where user_uuid = '${person.userUuid}'`)
    if (how === 'deleted the exam') await query(`update study set deleted_at = now() where uuid = '${uuid}'`)
    for (const _time of [1, 2]) {
      if (how === 'lost the work') {
        const fault = { error: 'FAILED', message: '' } as never
        await services.db.transaction().execute(async (tx) => {
          await mailLinkActs.giveUp?.(tx, { linkUuid, address: '' }, 'w', fault)
          await deliverShareActs.giveUp?.(tx, { shareUuid }, 'w', fault)
        })
      } else {
        await mailLinkActs.run(services, { linkUuid, address: 'https://hilum.example' }, run)
        await deliverShareActs.run(services, { shareUuid }, run)
      }
    }
    const mails = await query<{ subject: string; body: string }>(
      `select subject, body from mail where recipient = '${person.email}'`,
    )
    expect(mails.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 2 }, () => 'An exam that you wanted to send was not sent'),
    )
    expect(mails.map(({ body }) => body).join()).not.toMatch(/jane|doe/i)
    const tracked = await listTracked(services.db, uuid)
    const failure = how === 'left the group' ? 'NOT_PERMITTED' : 'NOT_FOUND'
    expect(tracked.map((one) => [one.state, one.failure])).toEqual([
      ['failed', failure],
      ['failed', failure],
    ])
    expect(await query(`select from mail where recipient = 'late@clinic.example'`)).toEqual([])
  },
)

it('tells in the history of an exam that a link was revoked, by whichever way it ended, and not that the exam was deleted', async () => {
  const { sid, uuid } = await makePlace()
  const sent = async () => (await share(sid, { uuid, email: 'a@clinic.example', expires: 60 })).user_invite_share_id[0]
  const [stopped, deleted] = [await sent(), await sent()]
  expect(await stop(sid, { uuid, user_invite_share_id: stopped })).toEqual(done)
  expect((await call('link/delete', { sid, uuid: deleted })).body.status).toBe('OK')
  const ended = await query<{ type: string; link: string }>(
    `select type, detail->>'link' as link from audit where object_uuid = '${uuid}' and action = 'DELETE' order by id`,
  )
  expect(ended).toEqual([
    { type: 'Link', link: stopped },
    { type: 'Link', link: deleted },
  ])
})

it('[SEND-04] takes back what was to be sent later, and leaves what was delivered or mailed already where that is asked for', async () => {
  const { sid, study, uuid } = await makePlace()
  const to = await makePartner()
  const scheduled = { uuid, account_id: to.accountUuid, scheduled_only: 1 }
  const delivered = { status: 'ERROR', error_type: 'NOT_PERMITTED', error_subtype: 'delivered' }
  expect(await share(sid, { uuid, account_id: to.accountUuid, delay: 180 })).toEqual(done)
  expect(await stop(sid, scheduled)).toEqual(done)
  expect(await stop(sid, scheduled)).toMatchObject({ error_type: 'NOT_FOUND', error_subtype: 'account_id' })
  await share(sid, { uuid, account_id: to.accountUuid })
  expect(await stop(sid, scheduled)).toMatchObject(delivered)
  expect(await received(to.person, study.study_uid)).toBeDefined()
  const email = async (more: object) =>
    (await share(sid, { uuid, email: 'a@clinic.example', expires: 60, ...more })).user_invite_share_id[0] as string
  const link = async (one: Promise<string>) => ({ uuid, user_invite_share_id: await one, scheduled_only: 1 })
  const [later, mailed] = [await link(email({ delay: 180 })), await link(email({}))]
  expect(await stop(sid, later)).toEqual(done)
  expect(await stop(sid, later)).toMatchObject({ error_type: 'NOT_FOUND', error_subtype: 'user_invite_share_id' })
  expect(await stop(sid, mailed)).toMatchObject(delivered)
  expect((await linksOf(uuid)).filter(({ ended }) => !ended)).toMatchObject([{ uuid: mailed.user_invite_share_id }])
})

it('asks for a code that is mailed to the addressee where the sender says so, of links alone', async () => {
  const { sid, uuid } = await makePlace()
  const to = await makePartner()
  const [plain, asking] = [
    (await share(sid, { uuid, email: 'plain@clinic.example' })).user_invite_share_id[0],
    (await share(sid, { uuid, email: 'asked@clinic.example', pin_auth: 1 })).user_invite_share_id[0],
  ]
  const asks = await query<{ uuid: string }>(
    `select uuid from link where uuid in ('${plain}', '${asking}') and pin_auth`,
  )
  expect(asks).toEqual([{ uuid: asking }])
  expect(await share(sid, { uuid, account_id: to.accountUuid, pin_auth: 1 })).toMatchObject({
    error_type: 'INVALID_PARAMETERS',
  })
})

it('brings back what was stopped a moment ago as it was, once, and for whoever may give so', async () => {
  const { sid, study, uuid, group } = await makePlace()
  const to = await makePartner()
  const named = { uuid, account_id: to.accountUuid }
  const again = (more: object = {}, as = sid) => stop(as, { ...named, ...more, restore: 1 })
  expect(await again()).toMatchObject({ error_type: 'EXPIRED' })
  await share(sid, { ...named, message: 'For the tumour board', expires: 600, attachments: 1 })
  expect(await again()).toMatchObject({ error_type: 'EXPIRED' })
  expect(await stop(sid, named)).toEqual(done)
  expect(await received(to.person, study.study_uid)).toBeUndefined()
  const viewer = await organisation.addPerson({ role: 'Viewer', groups: [group] })
  expect(await again({}, viewer.sid)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  expect(await again()).toEqual(done)
  expect(await received(to.person, study.study_uid)).toMatchObject({ share_message: 'For the tumour board' })
  const [back] = await query<{ minutes: number; files: boolean }>(
    `select minutes, with_attachments as files from share where study_uuid = '${uuid}' and state = 'delivered'`,
  )
  expect(back).toEqual({ minutes: 600, files: true })
  expect(await again()).toMatchObject({ error_type: 'EXPIRED' })
  await stop(sid, named)
  await query(`update share set ended_at = now() - interval '11 minutes' where study_uuid = '${uuid}'`)
  expect(await again()).toMatchObject({ error_type: 'EXPIRED' })
})

it('tries a failed sending by a share code again as it was to be, to whom the code led, and not once the code is gone', async () => {
  const { sid, study, uuid, group } = await makePlace()
  const to = await makePartner(false)
  const reading = await to.addGroup({ name: 'Reading Room' })
  const reader = await to.addPerson({ role: 'Staff', groups: [reading] })
  const code = `ROOM-${reading.groupUuid.slice(0, 8)}`
  await query(
    `update app_group set share_code = '${code}', share_settings = '{"must_approve": 0}' where uuid = '${reading.groupUuid}'`,
  )
  const sent = { uuid, share_code: code, message: 'As agreed', expires: 600, attachments: 1, delay: 600 }
  expect(await share(sid, sent)).toEqual(done)
  await query(
    `update share set state = 'failed', failure = 'NO_DESTINATION', ended_at = now() where study_uuid = '${uuid}'`,
  )
  const shown = async () => (await accessOf(sid, uuid)).shares as { uuid: string; by_code: number; state: string }[]
  expect(await shown()).toMatchObject([{ kind: 'group', uuid: reading.groupUuid, by_code: 1, state: 'failed' }])
  const again = (as: string) => stop(as, { uuid, group_id: reading.groupUuid, restore: 1 })
  const viewer = await organisation.addPerson({ role: 'Viewer', groups: [group] })
  expect(await again(viewer.sid)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  await query(`update app_group set share_code = '' where uuid = '${reading.groupUuid}'`)
  expect(await again(sid)).toMatchObject({ error_type: 'SHARE_FAILED', error_subtype: 'NO_DESTINATION' })
  await query(`update app_group set share_code = '${code}' where uuid = '${reading.groupUuid}'`)
  expect(await again(sid)).toEqual(done)
  expect(await received(reader, study.study_uid)).toMatchObject({ share_message: 'As agreed' })
  const made = `select minutes, by_code, with_attachments as files from share where study_uuid = '${uuid}' and state = 'delivered'`
  expect(await query(made)).toEqual([{ minutes: 600, by_code: true, files: true }])
  expect(await again(sid)).toMatchObject({ error_type: 'EXPIRED' })
})

it('brings back what was to be sent later for the same moment', async () => {
  const { sid, uuid } = await makePlace()
  const named = { uuid, account_id: (await makePartner()).accountUuid }
  await share(sid, { ...named, delay: 600 })
  await stop(sid, named)
  expect(await stop(sid, { ...named, restore: 1 })).toEqual(done)
  const [back] = await query<{ seconds: number }>(
    `select extract(epoch from run_at - now())::integer as seconds from share where study_uuid = '${uuid}' and state = 'scheduled'`,
  )
  expect(back?.seconds).toBeGreaterThan(400)
  expect(back?.seconds).toBeLessThanOrEqual(600)
})

it('brings back a link that was sent, with the same address, and mails it anew where no mail had left', async () => {
  const { sid, uuid, group } = await makePlace()
  const email = `back-${group.groupUuid}@clinic.example`
  const [linkUuid] = (await share(sid, { uuid, email, expires: 60 })).user_invite_share_id
  const named = { uuid, user_invite_share_id: linkUuid }
  const mails = async () =>
    query<{ sent: boolean }>(`select sent_at is not null as sent from mail where recipient = '${email}'`)
  const digest = async () =>
    (
      await query<{ digest: string }>(
        `select encode(secret_digest, 'hex') as digest from link where uuid = '${linkUuid}'`,
      )
    )[0]
  const before = await digest()
  await stop(sid, named)
  expect(await mails()).toEqual([])
  const elsewhere = await makePlace()
  expect(await stop(elsewhere.sid, { ...named, uuid: elsewhere.uuid, restore: 1 })).toMatchObject({
    error_type: 'NOT_FOUND',
  })
  expect(await stop(sid, { ...named, restore: 1 })).toEqual(done)
  expect([(await linksOf(uuid))[0]?.ended, await digest(), await mails()]).toEqual([false, before, [{ sent: false }]])
  await query(`update mail set sent_at = now() where recipient = '${email}'`)
  await stop(sid, named)
  expect(await stop(sid, { ...named, restore: 1 })).toEqual(done)
  expect(await mails()).toEqual([{ sent: true }])
  await stop(sid, named)
  await query(`update link set ended_at = now() - interval '11 minutes' where uuid = '${linkUuid}'`)
  expect(await stop(sid, { ...named, restore: 1 })).toMatchObject({ error_type: 'EXPIRED' })
})

it('sends to addresses as mail programs copy them', async () => {
  const { sid, uuid } = await makePlace()
  const email = '"Kern, Anna" <Anna@b.example>; Ott, Ben <ben@b.example>\n<anna@b.example>'
  expect(await share(sid, { uuid, email, password: 'lantern boat' })).toMatchObject({ status: 'OK' })
  expect((await linksOf(uuid)).map((link) => link.email)).toEqual(['Anna@b.example', 'ben@b.example'])
})

it('[API-53] refuses what is no address, and what no link can be', async () => {
  const { sid, uuid } = await makePlace()
  const refused = async (sent: object) => {
    const { error_type: type, error_subtype: subtype } = await share(sid, { uuid, ...sent })
    return [type, subtype]
  }
  expect(await refused({ email: 'a@b.example, nobody' })).toEqual(['INVALID_EMAIL', 'nobody'])
  expect(await refused({ email: Array.from({ length: 21 }, (_, at) => `p${at}@b.example`).join() })).toEqual([
    'INVALID_FIELD',
    'email',
  ])
  expect(await refused({ email: 'a@b.example', expires: 0 })).toEqual(['INVALID_FIELD', 'expires'])
  expect(await refused({ email: 'a@b.example', password: 'x' })).toEqual(['INVALID_FIELD', 'password'])
  expect(await refused({ email: 'a@b.example', password_is_dob: 1 })).toEqual(['INVALID_FIELD', 'password_is_dob'])
  expect(await refused({ email: 'a@b.example', account_id: accountUuid })).toEqual(['INVALID_PARAMETERS', undefined])
  expect(await refused({ email: ' ' })).toEqual(['INVALID_PARAMETERS', undefined])
  expect(await linksOf(uuid)).toEqual([])
})

it('[API-53] sends by the share code of a group, an account and a user of anywhere, where it waits for approval', async () => {
  const { sid, study, uuid } = await makePlace()
  const to = await makePartner(false)
  const group = await to.addGroup()
  const [approver, member] = [
    await to.addPerson({ role: 'Administrator', groups: [group] }),
    await to.addPerson({ role: 'Staff', groups: [group] }),
  ]
  await query(`update app_group set share_code = 'GROUP-1' where uuid = '${group.groupUuid}'`)
  await query(`update account set share_code = 'ACCOUNT-1' where uuid = '${to.accountUuid}'`)
  await query(`update app_user set share_code = 'USER-1' where uuid = '${member.userUuid}'`)
  for (const share_code of [' group-1 ', 'Account-1', 'USER-1'])
    expect(await share(sid, { uuid, share_code, message: 'As agreed' })).toEqual(done)
  const there = await query<{ phi_namespace: string; must_approve: boolean }>(
    `select phi_namespace, must_approve from study where study_uid = '${study.study_uid}' and source = 'share'`,
  )
  const places = [group.namespaceUuid, to.namespaceUuid, member.namespaceUuid]
  expect(new Set(there.map((row) => row.phi_namespace))).toEqual(new Set(places))
  expect(there.every((row) => row.must_approve)).toBe(true)
  expect(await received(approver, study.study_uid)).toBeDefined()
  // an own group may be called like one elsewhere
  const [behind] = await query<{ name: string }>(`select name from account where uuid = '${to.accountUuid}'`)
  const [groupName] = await query<{ name: string }>(`select name from app_group where uuid = '${group.groupUuid}'`)
  const own = await organisation.addGroup({ name: groupName?.name ?? '' })
  expect(await share(sid, { uuid, group_id: own.groupUuid })).toEqual(done)
  const names = [groupName, { name: member.name }].map((one) => `${one?.name}, ${behind?.name}`)
  const shown = [behind?.name, ...names].toSorted()
  const namesOf = (rows: { name: string; by_code: number }[]) =>
    rows.filter((one) => one.by_code === 1).map((one) => one.name)
  expect(namesOf((await accessOf(sid, uuid)).shares).toSorted()).toEqual(shown)
  expect(namesOf((await call('study/share/track', { sid, uuid })).body.sends).toSorted()).toEqual(shown)
  expect((await accessOf(sid, uuid)).shares).toContainEqual(
    expect.objectContaining({ uuid: own.groupUuid, name: groupName?.name }),
  )
  const { accesses } = (await call('outside/list', { sid, account_id: accountUuid })).body
  expect(accesses.map((one: { who: string }) => one.who)).toEqual(expect.arrayContaining(shown))
  expect(await stop(sid, { uuid, share_code: 'GROUP-1' })).toEqual(done)
  expect(await stop(sid, { uuid, share_code: 'GROUP-1' })).toMatchObject({ error_type: 'NOT_FOUND' })
  const { events } = (await call('audit/object', { sid, uuid })).body
  const written = (events as { type: string; action: string; with: string }[]).filter(
    ({ type }) => type === 'Study_share',
  )
  expect(written.filter(({ action }) => action === 'CREATE').map((one) => one.with)).toEqual(
    expect.arrayContaining([...shown, groupName?.name]),
  )
  expect(written.filter(({ action }) => action === 'DELETE').map((one) => one.with)).toEqual([
    `${groupName?.name}, ${behind?.name}`,
  ])
})

it.each(['group', 'location'])(
  '[API-53] lets a %s take studies by its code at once where its share settings say so, delayed ones too',
  async (kind) => {
    const { sid, study, uuid } = await makePlace()
    const to = await makePartner(false)
    const group = await to.addGroup()
    const member = await to.addPerson({ role: 'Staff', groups: [group] })
    await query(`update namespace set kind = '${kind}' where uuid = '${group.namespaceUuid}'`)
    await query(`update app_group set kind = '${kind}', share_code = 'AT-ONCE-${kind}', share_settings = '{"must_approve": 0}'
    where uuid = '${group.groupUuid}'`)
    expect(await share(sid, { uuid, share_code: `AT-ONCE-${kind}`, delay: 180 })).toEqual(done)
    expect(await received(member, study.study_uid)).toBeUndefined()
    const [waiting] = await query<{ uuid: string }>(`select uuid from share where study_uuid = '${uuid}'`)
    await deliverShareActs.run(services, { shareUuid: waiting?.uuid ?? '' }, run)
    expect(await received(member, study.study_uid)).toBeDefined()
  },
)

it('tells nobody which share codes there are, and lets nobody try many', async () => {
  const { sid, uuid } = await makePlace()
  const group = await organisation.addGroup()
  await query(`update app_group set share_code = 'GROUP-3', no_share = true where uuid = '${group.groupUuid}'`)
  const unknown = { error_type: 'NOT_FOUND', error_subtype: 'share_code' }
  expect(await share(sid, { uuid, share_code: 'NO-SUCH' })).toMatchObject(unknown)
  expect(await share(sid, { uuid, share_code: 'GROUP-3' })).toMatchObject(unknown)
  for (let tries = 2; tries < 10; tries++) await share(sid, { uuid, share_code: 'NO-SUCH' })
  expect((await share(sid, { uuid, share_code: 'NO-SUCH' })).error_type).toBe('LOCKOUT')
})

it('[SEND-02] takes attachments along where the sender says so, and back when sharing stops', async () => {
  const { sid, study, uuid, group } = await makePlace()
  const [withFiles, without] = [await makePartner(), await makePartner()]
  await query(`insert into attachment (phi_namespace, study_uuid, id, version, filename, account_uuid, sha256, length)
    values ('${group.namespaceUuid}', '${uuid}', gen_random_uuid(), gen_random_uuid(), 'referral.pdf', '${accountUuid}',
      sha256('x'), 1)`)
  expect(await share(sid, { uuid, account_id: withFiles.accountUuid, attachments: 1 })).toEqual(done)
  expect(await share(sid, { uuid, account_id: without.accountUuid })).toEqual(done)
  const files = () =>
    query(`select filename from attachment where phi_namespace <> '${group.namespaceUuid}' and deleted_at is null
      and study_uuid in (select uuid from study where study_uid = '${study.study_uid}')`)
  expect(await files()).toEqual([{ filename: 'referral.pdf' }])
  expect(await received(withFiles.person, study.study_uid)).toMatchObject({ attachment_count: 1 })
  expect(await received(without.person, study.study_uid)).toMatchObject({ attachment_count: 0 })
  await stop(sid, { uuid, account_id: withFiles.accountUuid })
  expect(await files()).toEqual([])
  expect(await share(sid, { uuid, account_id: withFiles.accountUuid, attachments: 1 })).toEqual(done)
  expect(await files()).toEqual([{ filename: 'referral.pdf' }])
})

it('[SEND-02] a link sent by e-mail shows attached files where the sender says so', async () => {
  const { sid, uuid } = await makePlace()
  const shows = async (more: object) => {
    const { user_invite_share_id: links } = await share(sid, { uuid, email: 'a@b.example', ...more })
    return (await call('link/get', { sid, uuid: links[0] })).body.attachments
  }
  expect([await shows({}), await shows({ attachments: 1 })]).toEqual([0, 1])
})

it('tracks what was sent: delivered, opened and downloaded, by whom of the own account and when', async () => {
  const { sid, study, uuid, person } = await makePlace()
  const to = await makePartner()
  const colleague = await organisation.addPerson()
  const tracked = async () => (await call('study/share/track', { sid, uuid })).body.sends
  await share(sid, { uuid, account_id: to.accountUuid })
  await share(sid, { uuid, user_id: colleague.userUuid })
  await share(sid, { uuid, email: 'track@clinic.example', delay: 180 })
  const unseen = {
    opens: 0,
    opened_at: null,
    opened_by: '',
    downloaded_at: null,
    downloaded_by: '',
    by_name: person.name,
  }
  const moment = expect.any(String)
  expect(await tracked()).toEqual([
    expect.objectContaining({
      ...unseen,
      kind: 'email',
      name: 'track@clinic.example',
      state: 'scheduled',
      due_at: moment,
    }),
    expect.objectContaining({
      ...unseen,
      kind: 'user',
      name: colleague.name,
      state: 'delivered',
      delivered_at: moment,
    }),
    expect.objectContaining({ ...unseen, kind: 'account', uuid: to.accountUuid, state: 'delivered', due_at: null }),
  ])
  for (const reader of [to.person, colleague]) {
    const theirs = await received(reader, study.study_uid)
    for (const action of ['STUDY_VIEW', 'STUDY_DOWNLOAD'])
      await query(`insert into audit (account_uuid, actor, actor_name, action, type, object_uuid)
        values ('${accountUuid}', '${reader.userUuid}', '${reader.name}', '${action}', 'Study', '${theirs?.uuid}')`)
  }
  const [link] = await linksOf(uuid)
  await query(`insert into link_use (uuid, link_uuid, client_address) values (gen_random_uuid(), '${link?.uuid}', '')`)
  await query(`update link set hits = 1 where uuid = '${link?.uuid}'`)
  expect(await tracked()).toMatchObject([
    { kind: 'email', opens: 1, opened_at: moment },
    { opens: 1, opened_at: moment, opened_by: colleague.name, downloaded_at: moment, downloaded_by: colleague.name },
    // people of another organisation are not named
    { opens: 1, opened_at: moment, opened_by: '', downloaded_at: moment, downloaded_by: '' },
  ])
  await mailLinkActs.run(services, { linkUuid: link?.uuid ?? '', address: 'https://hilum.example' }, run)
  expect((await tracked())[0]).toMatchObject({ state: 'queued', due_at: null })
  await query(`update mail set sent_at = now() where recipient = 'track@clinic.example'`)
  await stop(sid, { uuid, account_id: to.accountUuid })
  expect(await tracked()).toMatchObject([
    { state: 'delivered', delivered_at: moment },
    { state: 'delivered' },
    { state: 'ended', opens: 1 },
  ])
  expect((await call('study/share/track', { sid: to.person.sid, uuid })).body.error_type).toBe('NOT_FOUND')
})

it('[SEND-03] tracks what recipients really download, with a login and by a link', async () => {
  const from = await makePlace()
  const studyUid = newUid()
  const namespace = from.group.namespaceUuid
  const sent = await app.inject({
    method: 'POST',
    url: `/api/v3/storage/namespace/${namespace}/image?sid=${from.sid}`,
    headers: { 'content-type': 'application/octet-stream' },
    payload: Buffer.from(madeImage({ studyUid, number: 1 })),
  })
  expect(sent.statusCode).toBe(202)
  const uuid = (await received(from, studyUid))?.uuid ?? ''
  const colleague = await organisation.addPerson()
  await share(from.sid, { uuid, user_id: colleague.userUuid })
  await share(from.sid, { uuid, email: 'door@clinic.example', download: 1 })
  const tracked = async (kind: string) =>
    (await call('study/share/track', { sid: from.sid, uuid })).body.sends.find(
      (one: { kind: string }) => one.kind === kind,
    )
  const download = async (sid: string, place: string) => {
    const url = `/api/v3/storage/study/${namespace}/${studyUid}/download?bundle=dicom&phi_namespace=${place}&sid=${sid}`
    return (await app.inject({ method: 'GET', url })).statusCode
  }
  for (const kind of ['user', 'email']) expect(await tracked(kind)).toMatchObject({ downloaded_at: null })
  expect(await download(colleague.sid, colleague.namespaceUuid)).toBe(200)
  expect(await tracked('user')).toMatchObject({ downloaded_at: expect.any(String), downloaded_by: colleague.name })
  expect(await tracked('email')).toMatchObject({ downloaded_at: null, opens: 0 })
  const [mail] = await query<{ uuid: string; sealed_secret: Buffer }>(
    `select uuid, sealed_secret from mail where recipient = 'door@clinic.example'`,
  )
  const url = services.sealer.open(mail?.sealed_secret ?? Buffer.alloc(0), mail?.uuid ?? '') ?? ''
  const opened = (await call('link/session', { token: url.split('/link/')[1] ?? '' })).body
  expect(opened).toMatchObject(done)
  expect((await call('link/studies', { sid: opened.sid })).body.studies).toMatchObject([{ study_uid: studyUid }])
  expect(await tracked('email')).toMatchObject({ opens: 1, opened_at: expect.any(String), downloaded_at: null })
  expect(await download(opened.sid, namespace)).toBe(200)
  expect(await tracked('email')).toMatchObject({ downloaded_at: expect.any(String) })
})

it('[PERM-12] takes the right to each way of sending', async () => {
  const { sid, uuid, group } = await makePlace()
  const to = await makePartner()
  const viewer = await organisation.addPerson({ role: 'Viewer', groups: [group] })
  expect((await share(viewer.sid, { uuid, account_id: to.accountUuid })).error_type).toBe('NOT_PERMITTED')
  const ways = {
    study_share_account: { account_id: to.accountUuid },
    study_share_email: { email: 'right@clinic.example' },
    study_share_share_code: { share_code: 'NO-SUCH' },
  }
  const permitted: Record<string, string[]> = {}
  for (const flag of Object.keys(ways)) {
    const withOne = `array['study_view', 'study_browse', 'study_share', '${flag}']`
    await query(`update role set permissions = ${withOne} where account_uuid = '${accountUuid}' and name = 'Staff'`)
    const answers = []
    for (const [other, sent] of Object.entries(ways)) {
      const { error_type: refused } = await share(sid, { uuid, ...sent })
      if (refused !== 'NOT_PERMITTED') answers.push(other)
    }
    permitted[flag] = answers
  }
  expect(permitted).toEqual(Object.fromEntries(Object.keys(ways).map((flag) => [flag, [flag]])))
})
