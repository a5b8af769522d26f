import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

const linesOf = (...rows: string[][]) => toCsv(rows).replace('\ufeff', '').split('\r\n')

test('writes rows with a mark of UTF-8 and the line ends of RFC 4180', () => {
  expect(
    toCsv([
      ['a', 'b'],
      ['ä', ''],
    ]),
  ).toBe('\ufeffa,b\r\nä,\r\n')
})

test('puts cells with commas, quotes and line ends into quotes', () => {
  expect(linesOf(['Holm, Ida', 'say "x"', 'a;b'])[0]).toBe('"Holm, Ida","say ""x""","a;b"')
  expect(toCsv([['a\nb']])).toBe('\ufeff"a\nb"\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\u00a0=1', '\uff1d1', '|cmd', '\r=1'])(
  'lets no spreadsheet take %j for a formula',
  (text) => {
    const [first = ''] = linesOf([text])
    expect(first.replace(/^"/, '').startsWith("'")).toBe(true)
  },
)

test('leaves names and addresses as they are', () => {
  expect(linesOf(["O'Neill", 'x-y@clinic.example'])[0]).toBe("O'Neill,x-y@clinic.example")
})
