import { expect, it } from 'vitest'
import { htmlOfText } from './html-of-text.ts'

it('keeps paragraphs and lines, and makes a link of a line that is an address alone, which it shows whole', () => {
  const html = htmlOfText(
    'An exam',
    'You find it here:\nhttps://hospital.example/link/abc?x=1&y=2\n\nNobody asked? Ignore it.\n',
  )
  expect(html.match(/<p /g)).toHaveLength(2)
  expect(html).toContain('You find it here:<br>')
  const address = 'https://hospital.example/link/abc?x=1&amp;y=2'
  expect(html).toMatch(
    new RegExp(`<a href="${address.replaceAll(/[.?]/g, '\\$&')}"[^>]*>${address.replaceAll(/[.?]/g, '\\$&')}</a>`),
  )
  expect(html.match(/<a /g)).toHaveLength(1)
})

it.each([
  ['markup', '<img src=x onerror=alert(1)>'],
  ['an attribute', '" onmouseover="alert(1)'],
  ['an address that runs on', 'https://a.example/"><script>alert(1)</script>'],
  ['a script’s address', 'javascript:alert(1)'],
])('takes words for words: %s', (_, hostile) => {
  const html = htmlOfText(hostile, hostile)
  expect(html.replaceAll(/<\/?(?:!doctype|html|head|meta|title|body|div|p|a)\b[^<>]*>/g, '')).not.toMatch(/[<>]/)
  expect(html).not.toMatch(/<(?:img|script)|href="javascript|" onmouseover="/)
})

it('fetches nothing', () => {
  expect(htmlOfText('Subject', 'Words')).not.toMatch(/src=|url\(|@import|<link/)
})
