import fc from 'fast-check'
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

/** Rows as a spreadsheet reads them: a quote counts at the beginning of a cell alone. */
function readAs(separator: string, file: string): string[][] {
  const rows: string[][] = [['']]
  let [isQuoted, isFresh] = [false, true]
  const add = (sign: string) => {
    const row = rows.at(-1) ?? []
    row[row.length - 1] += sign
  }
  for (let at = 0; at < file.length; at += 1) {
    const sign = file[at] ?? ''
    if (isQuoted && sign === '"' && file[at + 1] === '"') {
      add(sign)
      at += 1
    } else if (isQuoted && sign === '"') isQuoted = false
    else if (isQuoted) add(sign)
    else if (isFresh && sign === '"') [isQuoted, isFresh] = [true, false]
    else if (sign === separator || sign === '\n' || sign === '\r') {
      if (sign === '\r' && file[at + 1] === '\n') at += 1
      if (sign === separator) rows.at(-1)?.push('')
      else rows.push([''])
      isFresh = true
    } else {
      add(sign)
      isFresh = false
    }
  }
  return rows
}

const signs = fc.constantFrom(...'=+-@|,;\t\n\r "\'aB1\uff1d')
const rowsOfCells = fc.array(fc.array(fc.string({ unit: signs, maxLength: 12 }), { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 4,
})

test.each([',', ';', '\t'])('no cell is a formula to a spreadsheet that separates by %j', (separator) => {
  fc.assert(
    fc.property(rowsOfCells, (rows) => {
      const read = readAs(separator, toCsv(rows).replace('\ufeff', '')).flat()
      expect(read.filter((text) => /^\s*[=+\-@|\uff1d]/.test(text))).toEqual([])
    }),
    { numRuns: 2000 },
  )
})

test('adds nothing but apostrophes, and keeps every cell in its place', () => {
  const bare = (text: string) => text.replaceAll("'", '')
  fc.assert(
    fc.property(rowsOfCells, (rows) => {
      const read = readAs(',', toCsv(rows).replace('\ufeff', ''))
      expect(read.slice(0, -1).map((row) => row.map(bare))).toEqual(rows.map((row) => row.map(bare)))
    }),
  )
})

test('guards a formula behind a sign by which a German or French spreadsheet parts cells', () => {
  expect(linesOf(['x', 'Holm,y;=1+1;z'])[0]).toBe('x,"Holm,y;\'=1+1;z"')
  expect(linesOf(['12-05; 3'])[0]).toBe('"12-05; 3"')
})

test('takes no longer than its text for a cell of blanks', () => {
  expect(toCsv([['\n'.repeat(300_000)]]).length).toBeGreaterThan(300_000)
})
