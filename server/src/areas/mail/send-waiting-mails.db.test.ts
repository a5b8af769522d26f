import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, it, onTestFinished } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import type { Services } from '../../services.ts'
import { sendWaitingMails } from './send-waiting-mails.command.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)

interface Received {
  recipients: string[]
  text: string
}

/** A real mail server that keeps what it takes, and refuses recipients named nobody. */
async function startMailServer(): Promise<{ received: Received[]; services: Services }> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('nobody') ? Object.assign(new Error('No such mailbox'), { responseCode: 550 }) : null),
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { received, services: withSmtp(`smtp://127.0.0.1:${port}`) }
}

function withSmtp(smtpUrl: string): Services {
  return { ...services, config: { ...services.config, smtpUrl, mailFrom: 'Hilum <hilum@hospital.example>' } }
}
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
  expect(await query(`select body from mail where recipient = '${email}' and sent_at is not null`)).toEqual([
    { body: '' },
  ])
})

it('sends each mail once though two processes look at the same time', async () => {
  const server = await startMailServer()
  for (let i = 0; i < 6; i++) await queueMail(`person${i}@hospital.example`)
  await Promise.all([sendWaitingMails(server.services), sendWaitingMails(server.services)])
  expect(server.received).toHaveLength(6)
})

it('keeps the reason of a refused mail, sends the others, and tries again later', async () => {
  const server = await startMailServer()
  const refused = await queueMail('nobody@hospital.example')
  const good = await queueMail('somebody@hospital.example')
  await sendWaitingMails(server.services)
  expect(await mailOf(good)).toMatchObject({ sent: true })
  expect(await mailOf(refused)).toMatchObject({ sent: false, last_error: expect.stringContaining('550') })
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

it('leaves mails in the outbox when there is no mail server', async () => {
  const waiting = await queueMail('person@hospital.example')
  await sendWaitingMails(services)
  expect(await mailOf(waiting)).toMatchObject({ sent: false, body: 'See it at http://x/' })
})
