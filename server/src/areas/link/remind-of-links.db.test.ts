import { newUid } from '@hilum/dicom/uid'
import { beforeEach, expect, test } from 'vitest'
import { makeDoorTarget } from '../../../test/door-target.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { remindOfLinks, remindOfShortLinks } from './remind-of-links.job.ts'

const { app, call, query, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const staff = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const target = await makeDoorTarget(origin, staff.sid, group.namespaceUuid, newUid())
const [study] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${target.study}'`)
const place = { study_id: study?.uuid, action: 'STUDY_VIEW' }
const week = 7 * 24 * 60

async function makeLink(more: Record<string, unknown> = {}) {
  const { body } = await call('link/add', { sid: staff.sid, ...place, minutes_alive: week, ...more })
  expect(body).toMatchObject({ status: 'OK' })
  return { uuid: String(body.uuid), token: String(body.url).split('/link/')[1] ?? '' }
}
/** Lets a link end so many hours from now, as time does. */
const comeNear = (uuid: string, hours: number) =>
  query(`update link set expires_at = now() + interval '${hours} hours', created = now() - interval '6 days'
    where uuid = '${uuid}'`)
const remind = async () => {
  await query('delete from mail')
  await remindOfLinks(services)
  return query<{ recipient: string; subject: string; body: string }>(
    'select recipient, subject, body from mail order by recipient',
  )
}
const remindedAt = async (uuid: string) => (await call('link/get', { sid: staff.sid, uuid })).body.reminded_at

beforeEach(() => query('delete from link'))

test('whoever holds a link or a request is reminded once a day before its end, and its giver is told', async () => {
  const link = await makeLink({ email: 'doctor@clinic.example', password: 'walrus7' })
  const request = await makeLink({
    email: 'outside@clinic.example',
    study_id: undefined,
    namespace_id: group.namespaceUuid,
    action: 'STUDY_UPLOAD',
  })
  const quiet = await makeLink()
  expect(await remind()).toEqual([])
  for (const { uuid } of [link, request, quiet]) await comeNear(uuid, 23)
  await call('link/session', { token: quiet.token })
  const mails = await remind()
  expect(mails).toEqual([
    { recipient: 'doctor@clinic.example', subject: 'A link to an exam ends soon', body: expect.any(String) },
    { recipient: 'outside@clinic.example', subject: 'A request for an exam ends soon', body: expect.any(String) },
    { recipient: staff.email, subject: 'Links or requests of yours end soon', body: expect.any(String) },
  ])
  expect(mails[0]?.body).toContain('asked for a password')
  expect(mails[0]?.body).not.toContain(link.token)
  expect(mails[2]?.body).toContain('3 of the links and requests')
  expect(mails[2]?.body).toContain('2 of them were never opened')
  expect(await remindedAt(link.uuid)).not.toBeNull()
  expect(await remind()).toEqual([])
})

test.each([
  [60, 10],
  [3 * 60, 40],
  [12 * 60, 170],
  [24 * 60, 350],
  [47 * 60, 690],
  [48 * 60, 1430],
])('a request that lives for %d minutes is reminded of %d minutes before its end, once', async (life, left) => {
  const request = { study_id: undefined, namespace_id: group.namespaceUuid, action: 'STUDY_UPLOAD' }
  const link = await makeLink({ email: 'outside@clinic.example', ...request, minutes_alive: life })
  await makeLink({ email: 'doctor@clinic.example', minutes_alive: life })
  const run = life > 12 * 60 ? remindOfLinks : remindOfShortLinks
  const age = (minutes: number) =>
    query(
      `update link set created = created - interval '1 minute' * ${minutes}, expires_at = expires_at - interval '1 minute' * ${minutes}`,
    )
  const mailed = async () => {
    await query('delete from mail')
    await run(services)
    return (await query<{ recipient: string }>('select recipient from mail order by recipient')).map(
      ({ recipient }) => recipient,
    )
  }
  expect(await mailed()).toEqual([])
  await age(life * 0.4)
  expect(await mailed()).toEqual([])
  await age(life * 0.6 - left)
  expect(await mailed()).toEqual(['doctor@clinic.example', 'outside@clinic.example', staff.email].toSorted())
  expect(await remindedAt(link.uuid)).not.toBeNull()
  expect(await mailed()).toEqual([])
})

test('a link that lives for days waits for the hour of all, and one of minutes has no reminder', async () => {
  const { uuid } = await makeLink({ email: 'doctor@clinic.example' })
  await comeNear(uuid, 3)
  await makeLink({ email: 'brief@clinic.example', minutes_alive: 15 })
  await query(`update link set created = created - interval '13 minutes', expires_at = expires_at - interval '13 minutes'
    where email = 'brief@clinic.example'`)
  await query('delete from mail')
  await remindOfShortLinks(services)
  expect(await query('select recipient from mail')).toEqual([])
  expect((await remind()).map(({ recipient }) => recipient)).toEqual(['doctor@clinic.example', staff.email].toSorted())
})

test('a link that lives on is reminded of anew before its new end', async () => {
  const { uuid } = await makeLink({ email: 'doctor@clinic.example' })
  await comeNear(uuid, 5)
  expect(await remind()).toHaveLength(2)
  await call('link/set', { sid: staff.sid, uuid, minutes_left: week })
  expect(await remindedAt(uuid)).toBeNull()
  expect(await remind()).toEqual([])
  await comeNear(uuid, 5)
  expect(await remind()).toHaveLength(2)
})

test('whoever holds a link whose first mail was given up is reminded nevertheless: the address may be right, and the link was handed over', async () => {
  const { uuid } = await makeLink({ email: 'doctor@clinic.example' })
  await comeNear(uuid, 3)
  await query(`delete from mail where subject like '%ends soon'`)
  await query(`update mail set returned_at = now(), given_up = true`)
  await remindOfLinks(services)
  const reminded = await query(`select recipient from mail where subject = 'A link to an exam ends soon'`)
  expect(reminded).toEqual([{ recipient: 'doctor@clinic.example' }])
})

test('nobody is reminded of what opens nothing, was answered, came back or was just made', async () => {
  const request = { study_id: undefined, namespace_id: group.namespaceUuid, action: 'STUDY_UPLOAD' }
  const [revoked, used, short, answered] = [
    await makeLink({ email: 'a@clinic.example' }),
    await makeLink({ email: 'b@clinic.example', max_hits: 1 }),
    await makeLink({ email: 'c@clinic.example', minutes_alive: 24 * 60 }),
    await makeLink({ email: 'd@clinic.example', ...request }),
  ]
  await call('link/session', { token: used.token })
  for (const { uuid } of [revoked, used, answered]) await comeNear(uuid, 3)
  await call('link/delete', { sid: staff.sid, uuid: revoked.uuid })
  await query(`insert into link_upload (link_uuid, namespace_uuid, study_uid, image_count, first_at)
    values ('${answered.uuid}', '${group.namespaceUuid}', '1.2.3', 1, now())`)
  expect(await remind()).toEqual([])
  expect(await remindedAt(short.uuid)).toBeNull()
  const back = await makeLink({ email: 'e@clinic.example' })
  await query(`update mail set returned_at = now()`)
  await comeNear(back.uuid, 3)
  await services.db.transaction().execute(async () => remindOfLinks(services))
  expect(await query(`select recipient from mail where subject like '%ends soon'`)).toEqual([])
})

test('an organisation sets when, and may remind nobody', async () => {
  const set = (hours: string) =>
    call('account/set', { sid: staff.sid, uuid: organisation.accountUuid, setting_link_reminder_hours: hours })
  const { uuid } = await makeLink({ email: 'doctor@clinic.example', minutes_alive: 4 * week })
  await comeNear(uuid, 60)
  expect((await set('soon')).body.status).not.toBe('OK')
  expect((await set('0')).body.status).toBe('OK')
  await comeNear(uuid, 1)
  expect(await remind()).toEqual([])
  await set('72')
  await comeNear(uuid, 60)
  expect(await remind()).toHaveLength(2)
})
