import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { makeCertificate } from '../../../test/made-certificate.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import type { Config } from '../../config.ts'
import type { Services } from '../../services.ts'
import { sendWaitingMails } from './send-waiting-mails.command.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)

interface Received {
  recipients: string[]
  text: string
}

/** A real mail server that keeps what it takes, and does not take mails to greylisted@… at the moment. */
async function startMailServer(
  options: SMTPServerOptions = { authOptional: true, disabledCommands: ['STARTTLS'] },
): Promise<{ received: Received[]; port: number; services: Services }> {
  const received: Received[] = []
  const server = new SMTPServer({
    ...options,
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('greylisted') ? Object.assign(new Error('Try later'), { responseCode: 451 }) : null),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map((one) => one.address)
        received.push({ recipients, text: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  // Connections that a client ends for want of trust are what some tests are about.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { received, port, services: withSmtp(`smtp://127.0.0.1:${port}`) }
}

function withSmtp(smtpUrl: string, more: Partial<Config> = {}): Services {
  return { ...services, config: { ...services.config, smtpUrl, mailFrom: 'Hilum <hilum@hospital.example>', ...more } }
}
/** A run takes so many mails: those of other tests would stand before a test's own. */
beforeEach(() => query(`delete from mail`))

async function queueMail(recipient: string): Promise<string> {
  const uuid = randomUUID()
  await query(`
    insert into mail (uuid, account_uuid, recipient, subject, body)
    values ('${uuid}', '${organisation.accountUuid}', '${recipient}', 'Something waits', 'See it at http://x/')
  `)
  return uuid
}
async function mailOf(uuid: string) {
  const [row] = await query<{ sent: boolean; last_error: string | null; body: string }>(
    `select sent_at is not null as sent, last_error, body from mail where uuid = '${uuid}'`,
  )
  return row
}

it('[API-08] sends the reset mail once, and keeps no link behind', async () => {
  const server = await startMailServer()
  const { email } = await organisation.addPerson()
  await call('user/password/lost', { email })
  await sendWaitingMails(server.services)
  await sendWaitingMails(server.services)
  expect(server.received).toHaveLength(1)
  expect(server.received[0]?.recipients).toEqual([email])
  expect(server.received[0]?.text).toContain('Subject: Reset your password')
  expect(server.received[0]?.text).toContain('From: Hilum <hilum@hospital.example>')
  expect(server.received[0]?.text).toContain('/reset-password/')
  // the same words as text and as HTML, the text first, which programs without HTML show
  expect(server.received[0]?.text).toMatch(
    /multipart\/alternative[\s\S]*content-type: text\/plain[\s\S]*\/reset-password\/[\s\S]*content-type: text\/html[\s\S]*<a href/i,
  )
  expect(
    await query(`select body, sealed_secret from mail where recipient = '${email}' and sent_at is not null`),
  ).toEqual([{ body: '', sealed_secret: null }])
})

it('sends each mail once though two processes look at the same time', async () => {
  const server = await startMailServer()
  for (let i = 0; i < 6; i++) await queueMail(`person${i}@hospital.example`)
  await Promise.all([sendWaitingMails(server.services), sendWaitingMails(server.services)])
  expect(server.received).toHaveLength(6)
})

it('keeps the reason of a mail that is not taken now, sends the others, and tries again later', async () => {
  const server = await startMailServer()
  const refused = await queueMail('greylisted@hospital.example')
  const good = await queueMail('somebody@hospital.example')
  await sendWaitingMails(server.services)
  expect(await mailOf(good)).toMatchObject({ sent: true })
  expect(await mailOf(refused)).toMatchObject({ sent: false, last_error: expect.stringContaining('451') })
  await query(`update mail set recipient = 'anybody@hospital.example' where uuid = '${refused}'`)
  await sendWaitingMails(server.services)
  expect(await mailOf(refused)).toMatchObject({ sent: false })
  await query(`update mail set tried_at = now() - interval '2 minutes' where uuid = '${refused}'`)
  await sendWaitingMails(server.services)
  expect(await mailOf(refused)).toMatchObject({ sent: true, last_error: null })
})

it('shows administrators what the mail server did not take', async () => {
  const unreachable = withSmtp('smtp://127.0.0.1:1')
  const [first, second] = [await queueMail('one@hospital.example'), await queueMail('two@hospital.example')]
  await sendWaitingMails(unreachable)
  expect(await mailOf(first)).toMatchObject({ sent: false, last_error: expect.stringContaining('ECONNREFUSED') })
  expect(await mailOf(second)).toMatchObject({ sent: false, last_error: null })
})

it('sends what waited through days without a mail server once one answers, and not what expired meanwhile', async () => {
  const waiting = await queueMail('weekend@hospital.example')
  await query(`update mail set created = now() - interval '3 days', tried_at = now() - interval '61 minutes',
    last_error = 'connect ECONNREFUSED' where uuid = '${waiting}'`)
  // queued before a mail server was set up
  const early = await queueMail('early@hospital.example')
  await query(`update mail set created = now() - interval '13 days' where uuid = '${early}'`)
  const code = await queueMail('code@hospital.example')
  await query(`update mail set created = now() - interval '3 days', secret_expires_at = now() - interval '2 days',
    last_error = 'connect ECONNREFUSED' where uuid = '${code}'`)
  const { sid } = await organisation.addPerson({ role: 'Administrator' })
  const noticed = async () => {
    Object.assign(services.config, { smtpUrl: 'smtp://127.0.0.1:1' })
    onTestFinished(() => void Object.assign(services.config, { smtpUrl: undefined }))
    const { stuck } = (await call('account/stuck', { sid, account_id: organisation.accountUuid })).body
    return stuck
      .filter((one: { code: string }) => one.code === 'MAILS_NOT_SENT')
      .map((one: { count: number }) => one.count)
  }
  expect(await noticed()).toEqual([1])
  const server = await startMailServer()
  await sendWaitingMails(server.services)
  expect(server.received.flatMap(({ recipients }) => recipients).toSorted()).toEqual([
    'early@hospital.example',
    'weekend@hospital.example',
  ])
  expect(await noticed()).toEqual([])
})

it('gives a mail up after a fortnight, and tells administrators for a week', async () => {
  const server = await startMailServer()
  const late = await queueMail('late@hospital.example')
  await query(
    `update mail set created = now() - interval '15 days', tried_at = now() - interval '1 hour', last_error = 'connect ECONNREFUSED' where uuid = '${late}'`,
  )
  // written before a mail server was set up, which has refused nothing
  const early = await queueMail('early@hospital.example')
  await query(`update mail set created = now() - interval '20 days' where uuid = '${early}'`)
  await sendWaitingMails(server.services)
  expect(server.received).toEqual([])
  expect(
    await query(`select returned_at is not null as is_over, given_up, last_error from mail where uuid = '${late}'`),
  ).toEqual([{ is_over: true, given_up: true, last_error: 'No mail server took it in time: connect ECONNREFUSED' }])
  const { sid } = await organisation.addPerson({ role: 'Administrator' })
  Object.assign(services.config, { smtpUrl: server.services.config.smtpUrl })
  onTestFinished(() => void Object.assign(services.config, { smtpUrl: undefined }))
  const told = async () =>
    (await call('account/notices', { sid, account_id: organisation.accountUuid })).body.notices.filter(
      ({ code }: { code: string }) => code === 'MAILS_NOT_SENT',
    )
  expect(await told()).toMatchObject([{ failed_mails: 1 }])
  const { mails } = (await call('mail/outbox', { sid, account_id: organisation.accountUuid, left: 1 })).body
  expect(mails).toMatchObject([
    { uuid: late, given_up: 1 },
    { uuid: early, given_up: 1, body: 'See it at http://x/' },
  ])
  await query(`update mail set returned_at = now() - interval '8 days' where given_up`)
  expect(await told()).toEqual([])
})

it.each(['given_up', 'cancelled'])('a mail that was %s while a slow server took it stands as sent', async (ending) => {
  const slow = await queueMail('slow@hospital.example')
  const held: { give?: () => void } = {}
  const server = await startMailServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => void (held.give = done),
  })
  const sending = sendWaitingMails(server.services)
  await vi.waitFor(() => expect(held.give).toBeDefined())
  await query(`update mail set ${ending} = true, returned_at = now() where uuid = '${slow}'`)
  held.give?.()
  await sending
  expect(
    await query(`select sent_at is not null as sent, ${ending} as ended, returned_at from mail where uuid = '${slow}'`),
  ).toEqual([{ sent: true, ended: false, returned_at: null }])
})

it('leaves mails in the outbox when there is no mail server', async () => {
  const waiting = await queueMail('person@hospital.example')
  await sendWaitingMails(services)
  expect(await mailOf(waiting)).toMatchObject({ sent: false, body: 'See it at http://x/' })
})

it('sends no link that has expired or was sealed by another installation', async () => {
  const server = await startMailServer()
  const { email } = await organisation.addPerson({ email: 'sealed@hospital.example' })
  await call('user/password/lost', { email })
  const stranger = { ...server.services, sealer: { ...services.sealer, open: () => undefined } }
  await sendWaitingMails(stranger)
  const kept = `select sent_at is not null as sent, last_error, sealed_secret is null as wiped from mail where recipient = '${email}'`
  expect(await query(kept)).toEqual([{ sent: false, last_error: expect.stringContaining('sealed'), wiped: false }])
  await query(`update mail set tried_at = null, secret_expires_at = now() where recipient = '${email}'`)
  await sendWaitingMails(server.services)
  expect(await query(kept)).toMatchObject([{ sent: false, wiped: true }])
  expect(server.received.flatMap((mail) => mail.recipients)).not.toContain(email)
})

/** An address of this machine that is not known to be one: mails to it go out as to any other. */
const elsewhere = '0.0.0.0'

it('sends neither mail nor login in clear text, unless that is set', async () => {
  const logins: string[] = []
  const server = await startMailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username = '' }, _session, done) => {
      logins.push(username)
      done(null, { user: username })
    },
  })
  const smtpUrl = `smtp://hilum:kept-secret@${elsewhere}:${server.port}`
  const mail = await queueMail('person@hospital.example')
  await sendWaitingMails(withSmtp(smtpUrl))
  expect(await mailOf(mail)).toMatchObject({ sent: false, last_error: expect.stringContaining('HILUM_SMTP_TLS=none') })
  expect([server.received, logins]).toEqual([[], []])
  await query(`update mail set tried_at = null where uuid = '${mail}'`)
  await sendWaitingMails(withSmtp(smtpUrl, { smtpTls: 'none' }))
  expect(await mailOf(mail)).toMatchObject({ sent: true })
  expect(logins).toEqual(['hilum'])
})

it.each([
  ['smtp', false],
  ['smtps', true],
])('believes a certificate of the hospital’s own authority when it is set (%s)', async (scheme, secure) => {
  const { cert, key, certFile } = await makeCertificate(join(services.config.dataFolder, `mail-${scheme}`))
  const server = await startMailServer({ authOptional: true, secure, cert, key })
  const smtpUrl = `${scheme}://localhost:${server.port}`
  const mail = await queueMail('person@hospital.example')
  await sendWaitingMails(withSmtp(smtpUrl, { smtpTls: 'required' }))
  expect(await mailOf(mail)).toMatchObject({ sent: false, last_error: expect.stringContaining('HILUM_SMTP_CA') })
  await query(`update mail set tried_at = null where uuid = '${mail}'`)
  await sendWaitingMails(withSmtp(smtpUrl, { smtpTls: 'required', smtpAuthoritiesFile: certFile }))
  expect(await mailOf(mail)).toMatchObject({ sent: true })
  expect(server.received).toHaveLength(1)
})

it('tells administrators that the mail server refuses its login, without the password', async () => {
  const server = await startMailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_login, _session, done) => done(new Error('Authentication failed')),
  })
  const refused = withSmtp(`smtp://hilum:kept-secret@127.0.0.1:${server.port}`)
  const mail = await queueMail('person@hospital.example')
  await sendWaitingMails(refused)
  const { last_error } = (await mailOf(mail)) ?? {}
  expect(last_error).toContain('535')
  expect(last_error).not.toContain('kept-secret')
  const { sid } = await organisation.addPerson({ role: 'Administrator' })
  Object.assign(services.config, { smtpUrl: refused.config.smtpUrl })
  onTestFinished(() => void Object.assign(services.config, { smtpUrl: undefined }))
  const { notices } = (await call('account/notices', { sid, account_id: organisation.accountUuid })).body
  expect(notices).toContainEqual(expect.objectContaining({ code: 'MAILS_NOT_SENT' }))
})
