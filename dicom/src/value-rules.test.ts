import { expect, it } from 'vitest'
import { valueFromText } from './value-rules.ts'

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
  ['LO', 'ab\\'.repeat(10_000)],
  ['SH', 'x'.repeat(17)],
  ['CS', 'small'],
  ['DA', '20240230'],
  ['DA', '2024'],
  ['TM', '24'],
  ['DT', '202'],
  ['DS', '1,5'],
  ['IS', '2147483648'],
  ['AS', '34Y'],
  ['UI', '1.02'],
  ['US', '65536'],
  ['US', '-1'],
  ['FL', 'Infinity'],
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
