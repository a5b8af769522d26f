import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface SmtpSink {
  /** For `HILUM_SMTP_URL`. */
  url: string
  /** Mails as they came over the wire, with their headers, oldest first. */
  mails: { to: string; text: string }[]
  close: () => Promise<void>
}

/** A real mail server that keeps what it is given. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const mails: SmtpSink['mails'] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join(', ')
        mails.push({ to, text: decodeQuotedPrintable(Buffer.concat(chunks).toString()) })
        done()
      })
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo // the server listens on TCP
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Long lines are broken and `=` is written `=3D` on the way (RFC 2045 §6.7). */
function decodeQuotedPrintable(text: string): string {
  if (!/content-transfer-encoding: quoted-printable/i.test(text)) return text
  return text
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
