import { expect, test } from 'vitest'
import { safeFilename } from './safe-filename.ts'

test.each([
  ['Befund Müller.pdf', 'Befund Müller.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ada\\report.docx', 'report.docx'],
  ['a\r\nSet-Cookie: sid=1.pdf', 'aSet-Cookie_ sid=1.pdf'],
  ['photo\u202Egpj.exe', 'photogpj.exe'],
  ['\u2066hidden\u2069\u200F.txt', 'hidden.txt'],
  ['"quoted" <name>.txt', '_quoted_ _name_.txt'],
  ['...', 'attachment'],
  ['', 'attachment'],
  ['lone\uD800half.txt', 'lone\uFFFDhalf.txt'],
])('%j is kept as %j', (name, kept) => {
  expect(safeFilename(name)).toBe(kept)
})

test('a very long name is cut in front of its ending, and not inside a letter', () => {
  const kept = safeFilename(`${'😀'.repeat(1000)}.pdf`)
  expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(240)
  expect([...kept].length).toBeGreaterThan(60)
  expect(kept.endsWith('😀.pdf')).toBe(true)
})

test('many spaces inside a name cost no more than reading them', () => {
  const kept = safeFilename(`a${' '.repeat(300_000)}b.pdf`)
  expect(kept).toMatch(/^a +\.pdf$/)
}, 5000)
