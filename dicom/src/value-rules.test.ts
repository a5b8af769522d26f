import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CannotCorrectError, correctFile } from './node/correct-file.ts'
import { readDataSet, readHeader } from './read.ts'
import { Tag } from './tags.ts'
import { describeValueFault, findValueFault, valueFromText } from './value-rules.ts'
import { findTexts } from './values.ts'
import { writePart10 } from './write-part10.ts'

it.each([
  ['PN', 'Yamada^Tarou=山田^太郎=やまだ^たろう'],
  ['LO', 'x'.repeat(64)],
  ['LO', 'one\\two'],
  ['SH', 'é'.repeat(16)],
  ['CS', 'ORIGINAL\\PRIMARY'],
  ['DA', '20240229'],
  ['TM', '235959.123456'],
  ['DT', '20240229101112.5+0100'],
  ['DS', '-1.5e-3\\.5'],
  ['IS', '2147483647'],
  ['AS', '034Y'],
  ['UI', '1.2.840.10008'],
  ['LT', 'two\r\nlines \\ and a stroke'],
  ['UT', 'a\ttab\fand a page'],
  ['PN', 'علی\u200cرضا^क\u094d\u200dष'],
  ['AE', ''],
])('%s holds %s', (vr, text) => {
  expect(valueFromText(text, vr)).toEqual(text === '' ? new Uint8Array() : text)
})

it.each([
  ['PN', 'a=b=c=d'],
  ['PN', 'x'.repeat(65)],
  ['PN', '1^2^3^4^5^6'],
  ['LO', 'x'.repeat(65)],
  ['LO', 'two\nlines'],
  ['LO', '\u001b$B'],
  ['LO', '\ud800'],
  ...['\u0085', '\u009b', '\u00ad', '\u200b', '\u2028', '\u202e', '\u2066', '\ufeff'].map((sign) => [
    'PN',
    `A${sign}B`,
  ]),
  ['LT', 'a\u0085b'],
  ['PN', 'M\ufffdller^J\ufffdrg'],
  ['LO', 'H-\ufffd1'],
  ['UT', 'a \ufffd text'],
  ['UT', '\u202eb'],
  ['LO', 'ab\\'.repeat(10_000)],
  ['SH', 'x'.repeat(17)],
  ['CS', 'small'],
  ['DA', '20240230'],
  ['DA', '2024'],
  ['TM', '24'],
  ['DT', '202'],
  ['DS', '1,5'],
  ['DS', '1e999'],
  ['DS', '-9e+308'],
  ['DT', '20241301'],
  ['DT', '20230229'],
  ['DT', '2024010124'],
  ['DT', '202401011260'],
  ['DT', '20240101121212+1460'],
  ['IS', '2147483648'],
  ['AS', '34Y'],
  ['UI', '1.02'],
  ['US', '65536'],
  ['US', '-1'],
  ['FL', 'Infinity'],
  ['FL', '1e39'],
  ['UR', 'two words'],
  ['SQ', 'x'],
  ['OB', 'x'],
  ['UN', 'x'],
  ['xs', '1'],
])('%s does not hold %s', (vr, text) => {
  expect(valueFromText(text, vr)).toBeUndefined()
})

it('numbers come as numbers', () => {
  expect(valueFromText('1\\+65535', 'US')).toEqual([1n, 65_535n])
  expect(valueFromText('-9223372036854775808', 'SV')).toEqual([-0x8000_0000_0000_0000n])
  expect(valueFromText('0.5\\-2', 'FD')).toEqual([0.5, -2])
})

it('tells a long text that is no number in the time that reading it takes', () => {
  // with two ways to take each digit, this would take minutes
  expect(valueFromText(`${'1'.repeat(500_000)}x`, 'FD')).toBeUndefined()
}, 5000)

const file = writePart10([
  { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
  { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.4' },
  { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2.3' },
  { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3.1' },
])
const read = readHeader(file)
if (read.kind !== 'header') throw new Error('A whole file needs no more bytes')
const { header } = read

const letters = fc.constantFrom(
  'a',
  'Z',
  '5',
  ' ',
  '^',
  '=',
  '\\',
  'é',
  'ß',
  '山',
  'Ж',
  '😀',
  '\n',
  '\t',
  '\u001b',
  '\u0000',
  '\ud800',
)
const texts = fc
  .oneof(fc.string({ unit: letters, maxLength: 12 }), fc.string({ unit: letters, minLength: 60, maxLength: 70 }))
  .map((text) => `A${text}`.trim())

/** The values of a corrected attribute as a file gives them back, or why it was not corrected. */
function correctedTo(tag: number, text: string): string[] | string {
  try {
    const { prefix } = correctFile(file, header, { edits: [{ tag, old: '', new: text }], modifiedAt: '20260101' })
    return findTexts(readDataSet(prefix).dataSet, tag)
  } catch (error) {
    return error instanceof CannotCorrectError ? error.message : String(error)
  }
}

it('a text without a fault is one value that a file gives back as it was, any other is refused', () => {
  const fields = fc.constantFrom<readonly [number, string]>(
    [Tag.PatientName, 'PN'],
    [Tag.PatientID, 'LO'],
    [Tag.AccessionNumber, 'SH'],
    [Tag.PatientComments, 'LT'],
  )
  fc.assert(
    fc.property(fields, texts, ([tag, vr], text) => {
      const found = findValueFault(text, vr)
      // a stored correction leaves as it was written before such texts were refused
      const fault = found?.kind === 'unread-character' ? undefined : found
      const outcome = correctedTo(tag, text)
      const isRight = fault ? outcome.includes(describeValueFault(fault)) : outcome.length === 1 && outcome[0] === text
      expect([outcome, isRight]).toEqual([outcome, true])
    }),
    { numRuns: 600 },
  )
})

it.each([
  ['a\\b', 'LO', false, 'several-values'],
  ['a\\b', 'LO', true, undefined],
  ['a\\b', 'LT', false, undefined],
  ['a\nb', 'LT', false, undefined],
  ['a\nb', 'SH', true, 'control-character'],
  ['a=b=c=d', 'PN', false, 'component-groups'],
  ['1^2^3^4^5^6', 'PN', false, 'components'],
  ['x'.repeat(65), 'PN', false, 'too-long'],
  [`${'x'.repeat(64)}=${'山'.repeat(64)}`, 'PN', false, undefined],
  ['20240230', 'DA', false, 'form'],
  ['71,5', 'DS', false, 'form'],
  ['70000', 'US', false, 'form'],
  ['x', 'SQ', false, 'form'],
])('%j as %s (several: %s) has the fault %s', (text, vr, isMultiple, kind) => {
  expect(findValueFault(text, vr, isMultiple)?.kind).toBe(kind)
})

it('a correction that was stored with a character that could not be read leaves as it stands, with no other fault', () => {
  expect(correctedTo(Tag.PatientName, 'M\ufffdller^J\ufffdrg')).toEqual(['M\ufffdller^J\ufffdrg'])
  expect(correctedTo(Tag.PatientID, 'H-\ufffd\u0000')).toContain('cannot be shown')
  expect(correctedTo(Tag.AccessionNumber, '\ufffd'.repeat(17))).toContain('at most 16 characters')
  expect(findValueFault('2026\ufffd01', 'DA')).toEqual({ kind: 'form', vr: 'DA' })
})
