import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import nodemailer from 'nodemailer'
import { readAuthorities } from '../../pem-files.ts'
import { htmlOfText } from './html-of-text.ts'

interface OutgoingMail {
  /** The mail's uuid, which makes the Message-ID: a mail sent twice by mischance is one for the reader's program. */
  uuid: string
  recipient: string
  subject: string
  body: string
}
export interface MailSender {
  /** @throws Error of the mail server or of the way to it */
  send: (mail: OutgoingMail) => Promise<void>
  close: () => void
}

const connectTimeoutMs = 10_000
const socketTimeoutMs = 30_000

/** The settings of the mail server, as the configuration has them. */
interface SmtpSettings {
  smtpUrl: string
  mailFrom: string
  /** Address that undelivered mails come back to; undefined: the sender's. */
  mailBounces: string | undefined
  /** Undefined: `required`, except for a mail server on this machine itself. */
  smtpTls: 'required' | 'none' | undefined
  /** PEM; undefined: the public authorities alone. */
  smtpAuthoritiesFile: string | undefined
}

/**
 * Sends text, and the same as HTML, through one SMTP server, over connections that it keeps while it is in use. Neither login nor mail
 * goes out in clear text unless the settings say so.
 * @throws ConfigError when the file of authorities cannot be used
 */
export async function openSmtpSender(settings: SmtpSettings): Promise<MailSender> {
  const address = new URL(settings.smtpUrl)
  const host = address.hostname.replace(/^\[|\]$/g, '')
  const tlsMode = settings.smtpTls ?? (isThisMachine(host) ? 'none' : 'required')
  const authorities = settings.smtpAuthoritiesFile
    ? await readAuthorities('HILUM_SMTP_CA', settings.smtpAuthoritiesFile)
    : []
  const transport = nodemailer.createTransport({
    host,
    requireTLS: tlsMode === 'required',
    ignoreTLS: tlsMode === 'none',
    tls: { ca: [...rootCertificates, ...authorities], minVersion: 'TLSv1.2' },
    port: Number(address.port) || (address.protocol === 'smtps:' ? 465 : 587),
    secure: address.protocol === 'smtps:',
    ...(address.username
      ? { auth: { user: decodeURIComponent(address.username), pass: decodeURIComponent(address.password) } }
      : {}),
    pool: true,
    maxConnections: 2,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
    // a mail is text of ours; nothing in it may make the server read files or addresses
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ uuid, recipient, subject, body }) => {
      await transport.sendMail({
        from: settings.mailFrom,
        to: { name: '', address: recipient },
        ...(settings.mailBounces ? { envelope: { from: settings.mailBounces, to: recipient } } : {}),
        // a report of delivery names the mail by its uuid (`hilum mail returned`); servers without DSN pass it over
        dsn: { id: uuid, return: 'headers', notify: 'failure', recipient },
        subject,
        text: body,
        html: htmlOfText(subject, body),
        messageId: `<${uuid}@hilum>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    close: () => transport.close(),
  }
}

/**
 * Whether a mail server refused a recipient or a mail for good. Refusals by policy (5.7.x: relaying, reputation) can be
 * mended at the server, and are no such.
 */
export function isRefusedForGood(error: unknown): boolean {
  const { responseCode, command, response } = Object(error) as Record<string, unknown>
  if (typeof responseCode !== 'number' || responseCode < 500 || responseCode > 599) return false
  return (command === 'RCPT TO' || command === 'DATA') && !/\b5\.7\.\d/.test(String(response))
}

/** A connection that does not leave the machine. */
function isThisMachine(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true
  return isIP(host) === 4 && host.startsWith('127.')
}
