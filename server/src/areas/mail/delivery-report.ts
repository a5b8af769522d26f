/** A report that a mail was not delivered. */
interface DeliveryReport {
  mailUuid: string
  /** Words of the mail server that refused the mail. */
  reason: string
}

const uuidForm = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const longestReason = 500

/**
 * Reads a report of delivery (RFC 3464) about a mail of ours: by the envelope identifier, or by the Message-ID in the part
 * that came back.
 * @returns undefined for any other mail, for delays, and for reports of success
 */
export function readDeliveryReport(mail: string): DeliveryReport | undefined {
  const text = mail.replaceAll(/\r?\n[ \t]+/g, ' ') // folded lines
  if (!/^content-type:\s*multipart\/report\b/im.test(text) || !/^action:\s*failed\b/im.test(text)) return undefined
  const named =
    new RegExp(`^original-envelope-id:\\s*(${uuidForm})\\s*$`, 'im').exec(text) ??
    new RegExp(`^message-id:\\s*<(${uuidForm})@hilum>`, 'im').exec(text)
  if (!named?.[1]) return undefined
  const said = field(text, 'diagnostic-code')?.replace(/^[\w-]+;\s*/, '') ?? field(text, 'status')
  return { mailUuid: named[1].toLowerCase(), reason: (said ?? 'Returned by a mail server').slice(0, longestReason) }
}

function field(text: string, name: string): string | undefined {
  return new RegExp(`^${name}:\\s*(.+)$`, 'im').exec(text)?.[1]?.trim()
}
