import { expect, test } from 'vitest'
import { htmlOfText } from '../../outbound/mail/html-of-text.ts'
import { linksEndMail, requestMail } from './link-mail-texts.ts'
import { fillSecret, mailOf, secretMark } from './mail-label.ts'
import { mailLabels } from './mail-labels.ts'

test('fills the slots of a body, chooses the plural, and leaves the place of the secret', () => {
  const body = (unopened: number) => linksEndMail('https://h.example', { all: 3, unopened }).body
  expect(body(1)).toContain('3 of the links and requests that you gave end soon; 1 of them was never opened')
  expect(body(2)).toContain('2 of them were never opened')
  expect(requestMail(true).body).toContain(`\n${secretMark}\n\nYou will be asked for a password.`)
})

test('a value makes no line, no link, no turned text and no second place of the secret', () => {
  const { body } = mailOf('added', {
    address: `x\r\nhttps://evil.example\n\n\u202eB\u200fc\u061cc\u200e: a@b.example ${secretMark}`,
  })
  expect(body.split('\n')).toEqual([
    'An administrator added you to an organisation. Log in as you are used to:',
    'x https://evil.example Bcc: a@b.example  secret ',
    '',
  ])
  expect(fillSecret(body, 'https://h.example/link/1')).toBe(body)
  expect(htmlOfText('Subject', body)).not.toContain('href')
})

test('markup in a value is text in the HTML of a mail', () => {
  const { body } = mailOf('disk.low', { free: '<img src=x onerror=a()>', total: '"&"', address: 'https://h.example' })
  const html = htmlOfText('Subject', body)
  expect(html).not.toContain('<img')
  expect(html).toContain('Free: &lt;img src=x onerror=a()&gt; of &quot;&amp;&quot;')
})

test('a subject has no slot and one line, and each mail has a subject and a body', () => {
  const keys = Object.keys(mailLabels)
  for (const [key, text] of Object.entries(mailLabels)) {
    if (!key.endsWith('.subject')) continue
    expect([key, text]).toEqual([key, expect.not.stringMatching(/[{}\p{Cc}]/u)])
    const body = key.replace(/subject$/, 'body')
    expect([body, keys.some((one) => one === body || one === `${body}_other`)]).toEqual([body, true])
  }
})
