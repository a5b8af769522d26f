const page = 'margin:0;padding:24px;background:#f3f5f7'
const sheet =
  'max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #d5dde3;border-radius:6px;color:#16232d;font:16px/1.5 Arial,Helvetica,sans-serif'
const paragraph = 'margin:0 0 16px'
/** Addresses are shown whole, so that a reader sees where a link leads, and broken where they are too long. */
const link = 'color:#0b6584;word-break:break-all'

/**
 * A mail's text as HTML: its paragraphs, and each line that is an address alone as a link that shows the address. No
 * pictures and nothing from elsewhere, so that nothing is fetched when the mail is read.
 * @param subject the document's title, which screen readers say
 */
export function htmlOfText(subject: string, text: string): string {
  const paragraphs = text
    .split(/\n{2,}/)
    .map((lines) => lines.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0)
    .map((lines) => `<p style="${paragraph}">${lines.map(lineAsHtml).join('<br>\n')}</p>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(subject)}</title>
</head>
<body style="${page}">
<div style="${sheet}">
${paragraphs.join('\n')}
</div>
</body>
</html>
`
}

function lineAsHtml(line: string): string {
  const words = escape(line)
  return /^https?:\/\/\S+$/.test(line) ? `<a href="${words}" style="${link}">${words}</a>` : words
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)
}
