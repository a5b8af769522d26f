const address = /https?:\/\/[^\s"<]+\/link\/[\w-]{22}/

/** The addresses of links in the two parts of a mail as it came over the wire: of its text, and of the anchor of its HTML. */
export function linksOfMail(mail: string): { text: string; html: string } {
  const at = mail.search(/^content-type: text\/html/im)
  if (at < 0) throw new Error('The mail has no HTML')
  const [, anchor = ''] = /<a href="([^"]*)"/.exec(mail.slice(at)) ?? []
  return { text: address.exec(mail.slice(0, at))?.[0] ?? '', html: address.exec(anchor)?.[0] ?? '' }
}
