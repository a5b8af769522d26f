import { describe, expect, it } from 'vitest'
import { describeValueFault, findValueFault, holdsText, valueFromText } from './value-rules.ts'

const long = (count: number) => 'x'.repeat(count)

/** By VR: single values that it holds, and those that it does not. Source: PS3.5 table 6.2-1. */
const forms: Record<string, { held: readonly string[]; refused: readonly string[] }> = {
  AE: { held: ['CT_2', ' ~', long(16)], refused: ['Gerät', 'CTä', 'äCT', long(17)] },
  AS: { held: ['034Y', '018M', '003W', '010D'], refused: ['34Y', '034y', '034', 'x034Y', '034YY', '0034Y'] },
  CS: { held: ['ORIGINAL', 'A_1 B', long(16).toUpperCase()], refused: ['a', 'A-B', 'Aa', 'aA', 'A'.repeat(17)] },
  DA: { held: ['20240229'], refused: ['2024', '202402', 'x20240229', '202402291', '2024.02.29', '20240230'] },
  DS: {
    held: ['7', '-7', '+7', '70', '7.', '7.25', '.5', '.25', '7e3', '7E+3', '7e-3', '7e10', '1234567890.12345'],
    refused: ['x', '.', '7,5', '7.5.5', 'e3', '7e', '7e+', 'x7', '7x', '7 ', '0x7', '1234567890.123456'],
  },
  DT: {
    held: [
      '2024',
      '202402',
      '20240229',
      '2024022910',
      '202402291011',
      '20240229101112',
      '20240229101112.5',
      '20240229101112.123456',
      '2024+0100',
      '2024-1430',
      '2024-0059',
      '202401',
      '202409',
      '202410',
      '202412',
      '20240229101112.123456-0100',
    ],
    refused: [
      '20',
      '2',
      '20240',
      '2024022',
      '202402291',
      '20240229101',
      '2024022910111',
      'x2024',
      '2024x',
      'abcd',
      '2024.5',
    ]
      .concat([
        'abcdef',
        'abcdefgh',
        'abcdefghij',
        'abcdefghijkl',
        '20240229101112.1234567',
        '2024+01',
        '2024+01000',
        '2024+1500',
        '2024+0160',
        '202400',
        '202413',
        '202420',
        '20240229101112.',
      ])
      .concat(['20240229101112.5 +0100']),
  },
  IS: {
    held: ['0', '-7', '+7', '12', '2147483647', '-2147483648'],
    refused: ['7.', '7.5', 'x7', '7x', '--7', 'x', ' 7', '0x7', '1e2', '2147483648', '-2147483649', '0000000000007'],
  },
  LO: { held: [long(64), '山'.repeat(64), '𠮷'.repeat(64), ' x '], refused: [long(65), 'a\nb', 'a\u007f'] },
  LT: {
    held: ['a\r\n\t\fb', 'a\\b', long(10_240)],
    refused: [long(10_241), 'a\u0000', 'a\u000b', 'a\u007f', '\u001b'],
  },
  PN: {
    held: ['1^2^3^4^5', 'A=B=C', `${long(64)}=${long(64)}`, ''],
    refused: ['1^2^3^4^5^6', 'A=1^2^3^4^5^6', 'A=B=C=D', long(65), `A=${long(65)}`, 'a\nb'],
  },
  SH: { held: [long(16)], refused: [long(17)] },
  ST: { held: ['a\nb', 'a\\b', long(1024)], refused: [long(1025)] },
  TM: {
    held: ['10', '1011', '101112', '101112.1', '101112.123456', '235959'],
    refused: ['1', '101', '24', '2360', '1011.5', '101160', '101112.', '101112.1234567', 'x10', '10x'],
  },
  UC: { held: [long(16_383), 'a'], refused: ['a\nb'] },
  UI: { held: ['1.2.840.10008', '0', `1.${'2'.repeat(62)}`], refused: ['1.02', 'a', '1..2', `1.${'2'.repeat(63)}`] },
  UR: { held: ['https://hilum.example/a?b=c', 'a\\b'], refused: ['a b', ' a', 'a ', 'ä'] },
  UT: { held: ['a\nb\\c', long(100_000)], refused: ['a\u0001'] },
}

describe.each(Object.entries(forms))('%s', (vr, { held, refused }) => {
  it.each(held)('holds %j', (text) => {
    expect(findValueFault(text, vr)).toBeUndefined()
  })

  it.each(refused)('does not hold %j', (text) => {
    expect(findValueFault(text, vr)).toMatchObject({ vr })
    expect(valueFromText(text, vr)).toBeUndefined()
  })
})

describe('several values', () => {
  it('are each of the form of the attribute', () => {
    expect(findValueFault('7\\\\-1', 'IS', true)).toBeUndefined()
    expect(findValueFault('7\\x', 'IS', true)).toEqual({ kind: 'form', vr: 'IS' })
    expect(findValueFault('x\\7', 'IS', true)).toEqual({ kind: 'form', vr: 'IS' })
    expect(findValueFault('7\\8', 'IS')).toEqual({ kind: 'several-values', vr: 'IS' })
    expect(findValueFault(`${long(64)}\\${long(65)}`, 'LO', true)).toEqual({ kind: 'too-long', vr: 'LO', most: 64 })
  })

  it('together are no longer than an element may be', () => {
    const many = (count: number) => Array.from({ length: count }, () => 'x').join('\\')
    expect(findValueFault(many(8192), 'LO', true)).toBeUndefined()
    expect(findValueFault(many(8193), 'LO', true)).toEqual({ kind: 'too-long', vr: 'LO', most: 64 })
    expect(findValueFault(long(16_384), 'PN')).toEqual({ kind: 'too-long', vr: 'PN', most: 16_383 })
  })
})

describe('numbers', () => {
  it.each<[string, string, readonly (number | bigint)[] | undefined]>([
    ['US', '0\\65535', [0n, 65_535n]],
    ['US', '65536', undefined],
    ['US', '1\\65536', undefined],
    ['US', '65536\\1', undefined],
    ['US', '-1', undefined],
    ['US', '+7', [7n]],
    ['SS', '-32768\\32767', [-32_768n, 32_767n]],
    ['SS', '-32769', undefined],
    ['SS', '32768', undefined],
    ['UL', '4294967295', [4_294_967_295n]],
    ['UL', '4294967296', undefined],
    ['SL', '-2147483648\\2147483647', [-2_147_483_648n, 2_147_483_647n]],
    ['SL', '2147483648', undefined],
    ['SL', '-2147483649', undefined],
    ['UV', '18446744073709551615', [18_446_744_073_709_551_615n]],
    ['UV', '18446744073709551616', undefined],
    ['SV', '-9223372036854775808\\9223372036854775807', [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n]],
    ['SV', '9223372036854775808', undefined],
    ['SV', '-9223372036854775809', undefined],
    ['US', 'x1', undefined],
    ['US', '1x', undefined],
    ['US', '1\\x', undefined],
    ['US', '0'.repeat(21), undefined],
    ['FL', '1.5\\-2e3', [1.5, -2000]],
    ['FD', '1e308', [1e308]],
    ['FD', '1e309', undefined],
    ['FL', '1\\x', undefined],
    ['FL', 'Infinity', undefined],
    ['SQ', 'x', undefined],
    ['OB', '7', undefined],
  ])('%s of %s', (vr, text, numbers) => {
    expect(valueFromText(text, vr)).toEqual(numbers)
    expect(findValueFault(text, vr)).toEqual(numbers ? undefined : { kind: 'form', vr })
  })

  it('and nothing at all are held by every VR', () => {
    for (const vr of ['US', 'PN', 'SQ', 'OB']) {
      expect(valueFromText('', vr)).toEqual(new Uint8Array())
      expect(findValueFault('', vr)).toBeUndefined()
    }
  })
})

it.each([
  ['DA', ' 20240229'],
  ['DA', '20240229 '],
  ['AS', 'x034Y'],
  ['AS', '034Yx'],
])('%s refuses %j for its form, whatever its length', (vr, text) => {
  expect(findValueFault(text, vr)).toEqual({ kind: 'form', vr })
})

it('text can be written into values of text and numbers, not into bytes and items', () => {
  for (const vr of [...Object.keys(forms), 'US', 'SS', 'UL', 'SL', 'UV', 'SV', 'FL', 'FD'])
    expect([vr, holdsText(vr)]).toEqual([vr, true])
  for (const vr of ['SQ', 'OB', 'OW', 'UN', '']) expect([vr, holdsText(vr)]).toEqual([vr, false])
})

it.each([
  ['a\\b', 'LO', 'a backslash would divide it into several values'],
  ['a\nb', 'LO', 'it has a line break or a character that cannot be shown'],
  ['a=b=c=d', 'PN', 'a name has at most three component groups, with = between them'],
  ['1^2^3^4^5^6', 'PN', 'a component group of a name has at most five components, with ^ between them'],
  [long(65), 'PN', 'a component group of a name has at most 64 characters'],
  [long(65), 'LO', 'it has at most 64 characters'],
  ['ä', 'AE', 'it has not the form of an AE title'],
  ['x', 'AS', 'it has not the form of an age, e.g. 034Y, 018M, 003W or 010D'],
  ['x', 'CS', 'it has not the form of a code of capital letters, digits, blanks and underscores'],
  ['x', 'DA', 'it has not the form of a date, YYYYMMDD'],
  ['x', 'DS', 'it has not the form of a decimal number of at most 16 characters'],
  ['x', 'DT', 'it has not the form of a date with time, YYYYMMDDHHMMSS'],
  ['x', 'IS', 'it has not the form of a whole number'],
  ['x', 'TM', 'it has not the form of a time, HHMMSS'],
  ['x', 'UI', 'it has not the form of a UID'],
  ['ä', 'UR', 'it has not the form of an address'],
  ['x', 'US', 'it has not the form of US'],
])('%j is no %s, because %s', (text, vr, words) => {
  const fault = findValueFault(text, vr)
  expect(fault && describeValueFault(fault)).toBe(words)
})
