import nodemailer from 'nodemailer'

export interface OutgoingMail {
  /** Its uuid, from which the Message-ID is made: a mail sent twice by mischance is one for the reader's program. */
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

/** Sends plain text through one SMTP server, over connections that it keeps while it is in use. */
export function openSmtpSender(smtpUrl: string, from: string): MailSender {
  const address = new URL(smtpUrl)
  const transport = nodemailer.createTransport({
    host: address.hostname.replace(/^\[|\]$/g, ''),
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
        from,
        to: { name: '', address: recipient },
        subject,
        text: body,
        messageId: `<${uuid}@hilum>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    close: () => transport.close(),
  }
}
