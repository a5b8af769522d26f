import type { AddressInfo } from 'node:net'
import { newUid } from '@hilum/dicom/uid'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { makeDoorTarget } from '../../../test/door-target.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { mailCommand } from '../../cli/mail.ts'
import { sendWaitingMails } from './send-waiting-mails.command.ts'

const { app, call, query, services, url } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const staff = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const target = await makeDoorTarget(origin, staff.sid, group.namespaceUuid, newUid())
const [study] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${target.study}'`)
const studyUuid = study?.uuid ?? ''

vi.stubEnv('DATABASE_URL', url)
vi.stubEnv('HILUM_DATA', services.config.dataFolder)
afterAll(() => vi.unstubAllEnvs())

/** A real mail server that refuses nobody@…, and anybody else by a policy while `policy` is set. */
const taken: { to: string; from: string; text: string }[] = []
let policy = false
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: ({ address }, _session, done) => {
    const refuse = (words: string) => done(Object.assign(new Error(words), { responseCode: 550 }))
    if (policy) refuse('5.7.1 Relaying denied')
    else if (address.startsWith('nobody')) refuse('5.1.1 No such mailbox')
    else done(null)
  },
  onData: (stream, session, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk) => chunks.push(chunk))
    stream.on('end', () => {
      const { mailFrom, rcptTo } = session.envelope
      taken.push({
        to: rcptTo.map(({ address }) => address).join(),
        from: mailFrom ? mailFrom.address : '',
        text: Buffer.concat(chunks).toString(),
      })
      done()
    })
  },
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
const { port } = server.server.address() as AddressInfo
Object.assign(services.config, { smtpUrl: `smtp://127.0.0.1:${port}` })
const deliver = () =>
  sendWaitingMails({
    ...services,
    config: {
      ...services.config,
      smtpUrl: `smtp://127.0.0.1:${port}`,
      mailFrom: 'Hilum <hilum@hospital.example>',
      mailBounces: 'bounces@hospital.example',
    },
  })
beforeEach(async () => {
  taken.length = 0
  policy = false
  await query('delete from mail')
})

async function makeLink(email: string, more: Record<string, unknown> = {}) {
  const of = 'namespace_id' in more ? {} : { study_id: studyUuid, action: 'STUDY_VIEW' }
  const { body } = await call('link/add', { sid: staff.sid, email, ...of, ...more })
  expect(body).toMatchObject({ status: 'OK' })
  return String(body.uuid)
}
const linkOf = async (uuid: string) => (await call('link/get', { sid: staff.sid, uuid })).body
const trackedOf = async (name: string) =>
  (await call('study/share/track', { sid: staff.sid, uuid: studyUuid })).body.sends.find(
    (one: { name: string; state: string }) => one.name === name && one.state !== 'ended',
  )
/** The program to which a mail server hands a mail that came back. */
async function handBack(text: string): Promise<string> {
  const said: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => said.push(String(line)) > 0)
  try {
    const input = (async function* () {
      yield Buffer.from(text)
    })()
    expect(await mailCommand(['returned'], input)).toBe(0)
  } finally {
    write.mockRestore()
  }
  return said.join('')
}
const report = (messageId: string, action = 'failed') =>
  [
    'From: MAILER-DAEMON@mx.clinic.example',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="b"',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.clinic.example',
    '',
    'Final-Recipient: rfc822; clinic@outside.example',
    `Action: ${action}`,
    'Status: 5.2.2',
    'Diagnostic-Code: smtp; 552 5.2.2 The mailbox',
    '  is full',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${messageId}`,
    '--b--',
    '',
  ].join('\r\n')

test('[SEND-03] a mail that is refused stands at the send, its giver is told, and a corrected address takes the link', async () => {
  const sent = await call('study/share', {
    sid: staff.sid,
    uuid: studyUuid,
    email: 'nobody@clinic.example',
    expires: 60,
  })
  const [uuid] = sent.body.user_invite_share_id
  await deliver()
  expect(await trackedOf('nobody@clinic.example')).toMatchObject({
    state: 'returned',
    error: expect.stringContaining('No such mailbox'),
  })
  await deliver()
  expect(taken.map(({ to }) => to)).toEqual([staff.email])
  expect(taken[0]?.text).toContain('A mail with a link could not be delivered')
  expect(taken[0]?.text).not.toContain('nobody@')
  await query(`update mail set tried_at = null where returned_at is not null`)
  await deliver()
  expect(taken).toHaveLength(1)
  expect((await call('link/mail', { sid: staff.sid, uuid, email: 'doctor@clinic.example' })).body.status).toBe('OK')
  expect(await trackedOf('doctor@clinic.example')).toMatchObject({ state: 'queued', error: '' })
  await deliver()
  expect(await trackedOf('doctor@clinic.example')).toMatchObject({ state: 'delivered', error: '' })
  expect(taken[1]).toMatchObject({ to: 'doctor@clinic.example', from: 'bounces@hospital.example' })
  await call('link/delete', { sid: staff.sid, uuid })
})

test('[SEND-01] one wrong address in a list sends nothing to the others, and is named', async () => {
  const email = 'first@clinic.example, wrong address, last@clinic.example'
  const links = () => query(`select from link where email like '%@clinic.example' and ended_at is null`)
  const before = await links()
  expect((await call('study/share', { sid: staff.sid, uuid: studyUuid, email })).body).toMatchObject({
    error_type: 'INVALID_EMAIL',
    error_subtype: 'wrong address',
  })
  expect(await query('select from mail')).toEqual([])
  expect(await links()).toEqual(before)
})

test('[SEND-03] an address that the mail server refuses among good ones takes no mail from these, and its giver is told', async () => {
  const email = 'early@clinic.example, nobody@clinic.example, late@clinic.example'
  const sent = await call('study/share', { sid: staff.sid, uuid: studyUuid, email, expires: 60 })
  await deliver()
  await deliver()
  expect(taken.map(({ to }) => to).toSorted()).toEqual(
    ['early@clinic.example', 'late@clinic.example', staff.email].toSorted(),
  )
  expect(await trackedOf('early@clinic.example')).toMatchObject({ state: 'delivered' })
  expect(await trackedOf('late@clinic.example')).toMatchObject({ state: 'delivered' })
  expect(await trackedOf('nobody@clinic.example')).toMatchObject({
    state: 'returned',
    error: expect.stringContaining('No such mailbox'),
  })
  for (const uuid of sent.body.user_invite_share_id) await call('link/delete', { sid: staff.sid, uuid })
})

test('a request says that its mail was refused, and takes back the mail that still waits when the address is corrected', async () => {
  const uuid = await makeLink('nobody@outside.example', { namespace_id: group.namespaceUuid, action: 'STUDY_UPLOAD' })
  expect((await linkOf(uuid)).mail).toMatchObject({ state: 'queued', error: '' })
  await deliver()
  expect((await linkOf(uuid)).mail).toMatchObject({ state: 'returned', error: expect.stringContaining('550') })
  await call('link/mail', { sid: staff.sid, uuid, email: 'first@outside.example' })
  await call('link/mail', { sid: staff.sid, uuid, email: 'second@outside.example' })
  taken.length = 0
  await deliver()
  expect(taken.map(({ to }) => to).filter((to) => to !== staff.email)).toEqual(['second@outside.example'])
})

test('where no mail server is set up a link and a request say so, also of a mail that one refused before', async () => {
  const link = await makeLink('doctor@clinic.example')
  const request = await makeLink('clinic@outside.example', {
    namespace_id: group.namespaceUuid,
    action: 'STUDY_UPLOAD',
  })
  const listed = async () => {
    const { links } = (await call('link/list', { sid: staff.sid, study_id: studyUuid })).body
    return links.find(({ uuid }: { uuid: string }) => uuid === link).mail.state
  }
  expect((await linkOf(request)).mail).toMatchObject({ state: 'queued' })
  policy = true
  await deliver()
  expect((await linkOf(link)).mail).toMatchObject({ state: 'failed' })
  const { smtpUrl } = services.config
  Object.assign(services.config, { smtpUrl: undefined })
  onTestFinished(() => void Object.assign(services.config, { smtpUrl }))
  expect((await linkOf(link)).mail).toMatchObject({ state: 'no_server' })
  expect((await linkOf(request)).mail).toMatchObject({ state: 'no_server' })
  expect(await listed()).toBe('no_server')
  // what a mail server took, or sent back, is so without one
  await query(`update mail set sent_at = now() where recipient = 'doctor@clinic.example'`)
  await query(`update mail set returned_at = now() where recipient = 'clinic@outside.example'`)
  expect((await linkOf(link)).mail).toMatchObject({ state: 'sent' })
  expect((await linkOf(request)).mail).toMatchObject({ state: 'returned' })
})

test('a refusal by a rule of the mail server is tried again', async () => {
  const uuid = await makeLink('doctor@clinic.example')
  policy = true
  await deliver()
  expect((await linkOf(uuid)).mail).toMatchObject({ state: 'failed', error: expect.stringContaining('5.7.1') })
  policy = false
  await query('update mail set tried_at = null')
  await deliver()
  expect((await linkOf(uuid)).mail).toMatchObject({ state: 'sent', error: '' })
})

test('[SEND-03] a mail that is tried again stands so at the send, and one that was given up stands as failed and is told to its giver', async () => {
  const email = 'away@clinic.example'
  const sent = await call('study/share', { sid: staff.sid, uuid: studyUuid, email, expires: 20_000 })
  const [uuid] = sent.body.user_invite_share_id
  policy = true
  await deliver()
  expect(await trackedOf(email)).toMatchObject({ state: 'retried', error: expect.stringContaining('5.7.1') })
  // a day short of the end of the link, which is in force still
  await query(`update mail set created = now() - interval '15 days' where recipient = '${email}'`)
  policy = false
  // a process may send it at this moment
  await deliver()
  expect(await trackedOf(email)).toMatchObject({ state: 'retried' })
  await query(`update mail set tried_at = now() - interval '11 minutes' where recipient = '${email}'`)
  await Promise.all([deliver(), deliver()])
  await deliver()
  expect(await trackedOf(email)).toMatchObject({ state: 'failed', error: expect.stringContaining('in time') })
  expect(taken.map(({ to }) => to)).toEqual([staff.email])
  expect(taken[0]?.text).toContain('A mail with a link could not be delivered')
  await call('link/delete', { sid: staff.sid, uuid })
})

test('the giver of a link that ended before its mail could leave is told, and nobody of one that was revoked', async () => {
  const [over, revoked] = [await makeLink('over@clinic.example'), await makeLink('revoked@clinic.example')]
  policy = true
  await deliver()
  policy = false
  await query(`update link set expires_at = now() - interval '1 second' where uuid = '${over}'`)
  await query(`update mail set tried_at = now() - interval '11 minutes'`)
  await call('link/delete', { sid: staff.sid, uuid: revoked })
  await deliver()
  expect(taken.map(({ to }) => to)).toEqual([staff.email])
  expect((await linkOf(over)).mail).toMatchObject({ state: 'given_up', error: expect.stringContaining('in time') })
})

test('nobody is mailed of links that were over long before a mail server was set up', async () => {
  const uuid = await makeLink('long-ago@clinic.example')
  await query(`update link set expires_at = now() - interval '15 days' where uuid = '${uuid}'`)
  await query(`update mail set created = now() - interval '20 days'`)
  await deliver()
  expect(taken).toEqual([])
  expect((await linkOf(uuid)).mail).toMatchObject({ state: 'given_up', error: expect.stringContaining('in time') })
})

test('a mail that comes back later is noted with its link, once; anything else is passed over', async () => {
  const uuid = await makeLink('clinic@outside.example')
  await deliver()
  expect((await linkOf(uuid)).mail).toMatchObject({ state: 'sent' })
  const messageId = /^Message-ID: (<.+>)$/im.exec(taken[0]?.text ?? '')?.[1] ?? ''
  expect(await handBack('Subject: Out of office\r\n\r\nI am away')).toContain('no report')
  expect(await handBack(report(messageId, 'delayed'))).toContain('no report')
  expect((await linkOf(uuid)).mail).toMatchObject({ state: 'sent' })
  expect(await handBack(report(messageId))).toBe('Noted.\n')
  expect((await linkOf(uuid)).mail).toMatchObject({
    state: 'returned',
    error: '552 5.2.2 The mailbox is full',
  })
  await handBack(report(messageId))
  taken.length = 0
  await deliver()
  expect(taken.map(({ to }) => to)).toEqual([staff.email])
  expect(await handBack(report('<00000000-0000-4000-8000-000000000000@hilum>'))).toBe('Noted.\n')
})

test('the mail of a link that is revoked before it leaves is not sent', async () => {
  const uuid = await makeLink('doctor@clinic.example')
  await call('link/delete', { sid: staff.sid, uuid })
  await deliver()
  expect(taken).toEqual([])
})

test('a code that is refused is told to nobody: the address of the link had arrived', async () => {
  const link = await makeLink('nobody@outside.example', { pin_auth: 1 })
  await query('update mail set sent_at = now()')
  const { url: address } = await linkOf(link)
  await call('link/pin/send', { token: String(address).split('/link/')[1] })
  await deliver()
  expect(await query('select count(*)::integer as count from mail where returned_at is not null')).toEqual([
    { count: 1 },
  ])
  await deliver()
  expect(taken).toEqual([])
})

type Waiting = { uuid: string; recipient: string; may_retry: number; given_up: number; cancelled: number }
const outboxOf = async (more: object = {}): Promise<Waiting[]> =>
  (await call('mail/outbox', { sid: staff.sid, account_id: organisation.accountUuid, ...more })).body.mails
const waitingFor = async (address: string) => (await outboxOf()).find(({ recipient }) => recipient === address)
const act = async (what: 'cancel' | 'retry', uuid: string | undefined, sid = staff.sid) => {
  const { body } = await call(`mail/${what}`, { sid, account_id: organisation.accountUuid, uuid })
  return body.error_type ?? body.status
}
/** Has every mail that waits given up, fifteen days after it was written. */
const giveUp = async () => {
  await query(`update mail set created = now() - interval '15 days', tried_at = now() - interval '1 hour',
    last_error = 'connect ECONNREFUSED' where sent_at is null`)
  await deliver()
}
const actsOnRecord = () =>
  query(`select action, detail from audit
    where object_uuid = '${organisation.accountUuid}' and detail ?| array['mail_cancelled', 'mail_tried_again'] order by id`)

test('an administrator cancels a mail that waits: it never leaves, stands so at link and send, and its giver is told', async () => {
  const { smtpUrl } = services.config
  Object.assign(services.config, { smtpUrl: undefined })
  onTestFinished(() => void Object.assign(services.config, { smtpUrl }))
  const email = 'typed-wrong@clinic.example'
  const sent = await call('study/share', { sid: staff.sid, uuid: studyUuid, email, expires: 60 })
  const [link] = sent.body.user_invite_share_id
  const mail = await waitingFor(email)
  expect(mail).toMatchObject({ may_retry: 0, cancelled: 0 })
  // what waits goes by itself
  expect(await act('retry', mail?.uuid)).toBe('EXPIRED')
  expect(await act('cancel', mail?.uuid)).toBe('OK')
  expect(await act('cancel', mail?.uuid)).toBe('NOT_FOUND')
  expect(await waitingFor(email)).toBeUndefined()
  expect(await trackedOf(email)).toMatchObject({ state: 'cancelled' })
  expect((await linkOf(link)).mail).toMatchObject({
    state: 'cancelled',
    error: '',
  })
  expect(await outboxOf({ left: 1 })).toMatchObject([{ uuid: mail?.uuid, cancelled: 1, given_up: 0 }])
  await deliver()
  expect(taken.map(({ to }) => to)).toEqual([staff.email])
  expect(taken[0]?.text).toContain('A mail with a link could not be delivered')
  expect(await query(`select sealed_secret from mail where uuid = '${mail?.uuid}'`)).toEqual([{ sealed_secret: null }])
  expect((await actsOnRecord()).at(-1)).toEqual({ action: 'EDIT', detail: { mail_cancelled: email } })
  // whoever gave the link mails it again
  expect((await call('link/mail', { sid: staff.sid, uuid: link })).body.status).toBe('OK')
  expect(await trackedOf(email)).toMatchObject({ state: 'queued' })
  await call('link/delete', { sid: staff.sid, uuid: link })
})

test('a mail that was given up is taken off the outbox and what is stuck, and is told as given up still', async () => {
  const stuck = async () =>
    (await call('account/stuck', { sid: staff.sid, account_id: organisation.accountUuid })).body.stuck.filter(
      ({ code }: { code: string }) => code === 'MAILS_NOT_SENT',
    )
  const link = await makeLink('late@clinic.example', { minutes_alive: 40_000 })
  await giveUp()
  expect(await stuck()).toMatchObject([{ count: 1 }])
  expect(await act('cancel', (await waitingFor('late@clinic.example'))?.uuid)).toBe('OK')
  expect(await waitingFor('late@clinic.example')).toBeUndefined()
  expect(await stuck()).toEqual([])
  expect((await linkOf(link)).mail).toMatchObject({ state: 'given_up' })
  expect(taken.map(({ to }) => to)).toEqual([staff.email])
  taken.length = 0
  await deliver()
  // the giver was told when it was given up
  expect(taken).toEqual([])
})

test('a mail that was given up is tried again once, a link by its address as it is now, and neither of what is over', async () => {
  const link = await makeLink('late@clinic.example', { minutes_alive: 40_000 })
  const over = await makeLink('over@clinic.example', { minutes_alive: 40_000 })
  await query(`insert into mail (uuid, account_uuid, recipient, subject, body)
    values (gen_random_uuid(), '${organisation.accountUuid}', 'plain@clinic.example', 'Exams arrived', 'Look at them')`)
  await query(`insert into mail (uuid, account_uuid, recipient, subject, body, sealed_secret, secret_expires_at)
    values (gen_random_uuid(), '${organisation.accountUuid}', 'code@clinic.example', 'Code', 'x', '', now())`)
  await giveUp()
  await query(`update mail set returned_at = now() where recipient = 'code@clinic.example'`)
  taken.length = 0
  const ofLink = await waitingFor('late@clinic.example')
  const ofOver = await waitingFor('over@clinic.example')
  await call('link/delete', { sid: staff.sid, uuid: over })
  expect(await act('retry', (await waitingFor('code@clinic.example'))?.uuid)).toBe('EXPIRED')
  expect(await act('retry', ofOver?.uuid)).toBe('EXPIRED')
  expect(ofLink).toMatchObject({ may_retry: 1, given_up: 1 })
  expect(await act('retry', ofLink?.uuid)).toBe('OK')
  expect(await act('retry', ofLink?.uuid)).toBe('NOT_FOUND')
  const plain = await waitingFor('plain@clinic.example')
  expect(await act('retry', plain?.uuid)).toBe('OK')
  expect(await act('retry', plain?.uuid)).toBe('EXPIRED')
  await deliver()
  expect(taken.map(({ to }) => to).toSorted()).toEqual(['late@clinic.example', 'plain@clinic.example'])
  const { url: address } = await linkOf(link)
  expect(taken.find(({ to }) => to === 'late@clinic.example')?.text.replaceAll('=\r\n', '')).toContain(address)
  expect((await linkOf(link)).mail).toMatchObject({ state: 'sent' })
  expect((await actsOnRecord()).at(-1)).toEqual({
    action: 'SEND',
    detail: { mail_tried_again: 'plain@clinic.example' },
  })
})

test('only administrators of the account act on its mails', async () => {
  const clinician = await organisation.addPerson({ role: 'Viewer', groups: [group] })
  const other = await makeOrganisation(services.db)
  const elsewhere = await other.addPerson({ role: 'Administrator' })
  await makeLink('doctor@clinic.example')
  await giveUp()
  const { uuid } = (await waitingFor('doctor@clinic.example')) ?? {}
  for (const what of ['cancel', 'retry'] as const) {
    expect(await act(what, uuid, clinician.sid)).toBe('NOT_PERMITTED')
    expect(await act(what, uuid, elsewhere.sid)).toBe('NOT_FOUND')
    expect(
      (await call(`mail/${what}`, { sid: elsewhere.sid, account_id: other.accountUuid, uuid })).body.error_type,
    ).toBe('NOT_FOUND')
  }
  expect(await waitingFor('doctor@clinic.example')).toMatchObject({ uuid })
})
