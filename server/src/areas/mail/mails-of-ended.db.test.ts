import type { AddressInfo } from 'node:net'
import { newUid } from '@hilum/dicom/uid'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { askDoor } from '../../../test/door-target.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { remindOfLinks } from '../link/remind-of-links.job.ts'
import { sendWaitingMails } from './send-waiting-mails.command.ts'

const { app, call, query, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const { sid, ...staff } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const administrator = await organisation.addPerson({ role: 'Administrator' })
const outside = 'doctor@clinic.example'

/** A real mail server. */
const taken: { to: string; subject: string }[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, session, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk) => chunks.push(chunk))
    stream.on('end', () => {
      const [, subject = ''] = /^Subject: (.*)$/m.exec(Buffer.concat(chunks).toString()) ?? []
      taken.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), subject: subject.trim() })
      done()
    })
  },
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
const { port } = server.server.address() as AddressInfo
/** The mails that leave now. */
const deliver = async () => {
  taken.length = 0
  const config = { ...services.config, smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'Hilum <hilum@hospital.example>' }
  await sendWaitingMails({ ...services, config })
  return taken.map(({ to, subject }) => `${to}: ${subject}`)
}
/** The mails that wait, as an administrator sees them. */
const waiting = async () =>
  (await query<{ recipient: string }>('select recipient from mail where sent_at is null order by recipient')).map(
    ({ recipient }) => recipient,
  )
beforeEach(async () => {
  await query('update link set ended_at = now() where ended_at is null')
  await query('delete from mail')
})

async function makeStudy() {
  const studyUid = newUid()
  const url = `/api/v3/storage/namespace/${group.namespaceUuid}/image`
  await askDoor(origin, { method: 'POST', url, payload: new Uint8Array(madeImage({ studyUid, number: 1 })) }, sid)
  const [row] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${studyUid}'`)
  const uuid = row?.uuid ?? ''
  await call('study/sync', { sid, uuid, image_count: 1 })
  return uuid
}
const ok = async (path: string, sent: object) => {
  const { body } = await call(path, { sid, ...sent })
  expect(body).toMatchObject({ status: 'OK' })
  return body
}
const account = { account_id: organisation.accountUuid }
const linkTo = async (study: string, more: object = {}) =>
  String((await ok('link/add', { study_id: study, action: 'STUDY_VIEW', email: outside, ...more })).uuid)
const requestOf = async (more: object = {}) =>
  String(
    (await ok('link/add', { namespace_id: group.namespaceUuid, action: 'STUDY_UPLOAD', email: outside, ...more })).uuid,
  )
const takeBack = (study: string) => ok('study/retract', { uuid: study, reason: 'Images of another patient' })

const endsOfLinks: [string, (link: string, study: string) => Promise<unknown>][] = [
  ['was revoked', (link) => ok('link/delete', { uuid: link })],
  ['was ended on the page of access from outside', (link) => ok('outside/end', { ...account, link_id: link })],
  ['is over', (link) => query(`update link set expires_at = now() - interval '1 second' where uuid = '${link}'`)],
  [
    'ended with the person who gave it',
    async () => {
      const gone = (is: boolean) => query(`update app_user set disabled = ${is} where uuid = '${staff.userUuid}'`)
      await gone(true)
      for (const kind of ['links', 'requests'])
        await ok('account/user/hand/over', {
          sid: administrator.sid,
          uuid: organisation.accountUuid,
          user_id: staff.userUuid,
          kind,
          end: 1,
        })
      await gone(false)
    },
  ],
]

test.each(endsOfLinks)('no mail of a link leaves that %s', async (_how, end) => {
  const study = await makeStudy()
  await end(await linkTo(study), study)
  expect((await deliver()).filter((one) => one.startsWith(outside))).toEqual([])
})

test.each(endsOfLinks)('no mail of a request leaves that %s', async (_how, end) => {
  await end(await requestOf(), '')
  expect((await deliver()).filter((one) => one.startsWith(outside))).toEqual([])
})

test.each(endsOfLinks)('neither a reminder nor a code leaves of a link that %s', async (_how, end) => {
  const study = await makeStudy()
  const link = await linkTo(study, { minutes_alive: 7 * 24 * 60, pin_auth: 1 })
  expect(await deliver()).toEqual([`${outside}: An exam is there for you to see`])
  await query(
    `update link set expires_at = now() + interval '23 hours', created = now() - interval '6 days' where uuid = '${link}'`,
  )
  await remindOfLinks(services)
  const { url } = await ok('link/get', { uuid: link })
  await call('link/pin/send', { token: String(url).split('/link/')[1] })
  expect((await waiting()).filter((to) => to === outside)).toHaveLength(2)
  await end(link, study)
  expect((await deliver()).filter((one) => one.startsWith(outside))).toEqual([])
})

test('no mail of a link leaves while its exam is deleted, and it does once the exam is back', async () => {
  const study = await makeStudy()
  await linkTo(study)
  await ok('study/delete', { uuid: study })
  expect(await deliver()).toEqual([])
  await ok('study/revive', { uuid: study })
  expect(await deliver()).toEqual([`${outside}: An exam is there for you to see`])
})

test('whoever was mailed nothing yet hears nothing of a taking back, neither the address nor that the exam was taken back', async () => {
  const study = await makeStudy()
  const link = await linkTo(study)
  await ok('study/share', { uuid: study, email: 'later@clinic.example', delay: 3600 })
  await takeBack(study)
  expect(await waiting()).toEqual([])
  expect(await deliver()).toEqual([])
  expect(await query(`select ended_at is not null as is_ended, send_failure from link where uuid = '${link}'`)).toEqual(
    [{ is_ended: true, send_failure: 'NOT_FOUND' }],
  )
})

test('whose mail came back hears nothing of a taking back; whoever was mailed does, without the reminder that waits', async () => {
  const study = await makeStudy()
  const link = await linkTo(study, { minutes_alive: 7 * 24 * 60 })
  await linkTo(study, { email: 'nobody@clinic.example' })
  expect(await deliver()).toHaveLength(2)
  await query(`update mail set sent_at = null, returned_at = now() where recipient = 'nobody@clinic.example'`)
  await query(
    `update link set expires_at = now() + interval '23 hours', created = now() - interval '6 days' where uuid = '${link}'`,
  )
  await remindOfLinks(services)
  await takeBack(study)
  expect((await deliver()).filter((one) => !one.startsWith(staff.email))).toEqual([
    `${outside}: An exam was taken back`,
  ])
})

test('a link whose address was handed over by hand, and that was opened, is there again when its exam is', async () => {
  const study = await makeStudy()
  const link = await linkTo(study)
  await query(`update link set hits = 3 where uuid = '${link}'`)
  await takeBack(study)
  expect(await deliver()).toEqual([`${outside}: An exam was taken back`])
  await ok('study/revive', { uuid: study })
  expect(
    await query(`select ended_at, send_failure, sealed_secret is not null as has_secret from link
    where uuid = '${link}'`),
  ).toEqual([{ ended_at: null, send_failure: null, has_secret: true }])
})

test('the history keeps the mails that came back of a link and of a share that end', async () => {
  const person = await organisation.addPerson({ role: 'Staff' })
  const study = await shareWith(person)
  const link = await linkTo(study)
  await query(`update mail set returned_at = now(), last_error = 'No such mailbox'`)
  await ok('study/share/stop', { uuid: study, user_id: person.userUuid })
  await ok('link/delete', { uuid: link })
  expect((await waiting()).toSorted()).toEqual([person.email, outside].toSorted())
})

test('a link that still shows another exam is mailed, and its addressee hears nothing of the one that was taken back before', async () => {
  const [first, second] = [await makeStudy(), await makeStudy()]
  await linkTo(first, { study_ids: second })
  await takeBack(first)
  expect(await deliver()).toEqual([`${outside}: An exam is there for you to see`])
})

/** A colleague with whom an exam was shared, and who is mailed of it. */
async function shareWith(person: Person, more: object = {}) {
  const study = await makeStudy()
  await ok('study/share', { uuid: study, user_id: person.userUuid, ...more })
  expect(await waiting()).toEqual([person.email])
  return study
}
const shareOf = async (study: string) => {
  const [row] = await query<{ uuid: string }>(`select uuid from share where study_uuid = '${study}'`)
  return row?.uuid ?? ''
}
test.each<[string, (study: string, person: Person) => Promise<unknown>]>([
  ['was stopped', (study, person) => ok('study/share/stop', { uuid: study, user_id: person.userUuid })],
  [
    'was ended on the page of access from outside',
    async (study) => ok('outside/end', { ...account, share_id: await shareOf(study) }),
  ],
  [
    'is over',
    (study) => query(`update share set expires_at = now() - interval '1 second' where study_uuid = '${study}'`),
  ],
])('no mail of a share leaves that %s', async (_how, end) => {
  const person = await organisation.addPerson({ role: 'Staff' })
  await end(await shareWith(person), person)
  expect(await deliver()).toEqual([])
})

test('of a share that was taken back its recipient is told that alone', async () => {
  const person = await organisation.addPerson({ role: 'Staff' })
  await takeBack(await shareWith(person))
  expect(await deliver()).toEqual([`${person.email}: An exam was taken back`])
})
