import { isHidden } from './html-style.ts'
import { type HtmlElement, tooLarge } from './html-tree.ts'

type Block = Readonly<Record<string, unknown>>
type Cell = { element: HtmlElement; row: number; column: number; columns: number; rows: number }

const MAX_COLUMNS = 40
const MAX_CELLS = 20_000
/** Of a cell: space at both sides, and its line. */
const CELL_PADDING_PT = 9
/** A column's share of the width goes by its longest text, within these limits. */
const MIN_CHARS = 4
const MAX_CHARS = 60
const MAX_WORD_CHARS = 18
/** A bold letter of ten points, generously. */
const CHAR_PT = 7.5
/** Of each text, when the longest word is looked for. */
const MAX_LOOKED_AT = 2000
const MAX_HEADER_ROWS = 3
const MAX_HEADER_CHARS = 500

/**
 * A table for the PDF writer. Columns take their share of the width by what stands in them, and no more than there is:
 * words too wide for a column are broken, and never cut off at the edge of the page.
 * @param blocksOf what a cell of this width shows
 * @returns the table, and what stands in front of it (the caption, and what is in no cell)
 * @throws StorageError PAYLOAD_TOO_LARGE
 */
export function readTable(
  table: HtmlElement,
  widthPt: number,
  blocksOf: (cell: HtmlElement, widthPt: number) => Block[],
): { above: HtmlElement['children']; table: Block | undefined } {
  const { above, rows, headerRows } = rowsOf(table)
  const { cells, columns } = placeCells(rows)
  if (cells.length === 0) return { above, table: undefined }
  const widths = shareWidth(cells, columns, widthPt - columns * CELL_PADDING_PT)
  const body: Block[][] = rows.map(() => Array.from({ length: columns }, () => ({ text: '' })))
  for (const { element, row, column, columns: colSpan, rows: rowSpan } of cells) {
    const own = sumOf(widths.slice(column, column + colSpan))
    const cell: Block = {
      stack: blocksOf(element, own + (colSpan - 1) * CELL_PADDING_PT),
      ...(colSpan > 1 ? { colSpan } : {}),
      ...(rowSpan > 1 ? { rowSpan } : {}),
      ...(element.name === 'th' ? { fillColor: '#eeeeee' } : {}),
    }
    const cellsOfRow = body[row]
    if (cellsOfRow) cellsOfRow[column] = cell
  }
  const header = body.slice(0, headerRows)
  const repeats = headerRows < rows.length && headerRows <= MAX_HEADER_ROWS && charsOf(rows.slice(0, headerRows))
  const isPlain = table.attributes.border === '0' || table.attributes.role === 'presentation'
  return {
    above,
    table: {
      table: {
        widths,
        body,
        headerRows: typeof repeats === 'number' && repeats <= MAX_HEADER_CHARS ? header.length : 0,
      },
      layout: isPlain ? 'noBorders' : 'hairlines',
      margin: [0, 2, 0, 6],
    },
  }
}

const groups = new Set(['thead', 'tbody', 'tfoot'])

function rowsOf(table: HtmlElement) {
  const above: HtmlElement['children'] = []
  const rows: HtmlElement[] = []
  let headerRows = 0
  for (const child of table.children) {
    if (typeof child === 'string') {
      if (child.trim()) above.push(child)
    } else if (isHidden(child)) continue
    else if (child.name === 'tr') rows.push(child)
    else if (groups.has(child.name)) {
      const own = child.children.filter((one) => typeof one !== 'string').filter((one) => !isHidden(one))
      const inRows = own.filter((one) => one.name === 'tr')
      above.push(...own.filter((one) => one.name !== 'tr'))
      if (child.name === 'thead' && rows.length === headerRows) headerRows += inRows.length
      rows.push(...inRows)
    } else if (child.name !== 'colgroup' && child.name !== 'col') above.push(child)
  }
  return { above, rows, headerRows }
}

/** Gives each cell its place; what others reach over is left out. */
function placeCells(rows: readonly HtmlElement[]): { cells: Cell[]; columns: number } {
  const cells: Cell[] = []
  /** Up to which row each column is taken by a cell above. */
  const takenUntil: number[] = []
  let columns = 0
  const mostCells = Math.max(1, ...rows.map(({ children }) => children.filter(isCell).length))
  for (const [row, { children }] of rows.entries()) {
    let column = 0
    for (const element of children) {
      if (!isCell(element)) continue
      while ((takenUntil[column] ?? 0) > row) column += 1
      // one that reaches over more columns than there can be reaches over those that there are
      const asked = spanOf(element.attributes.colspan, MAX_COLUMNS)
      let free = asked < MAX_COLUMNS ? asked : mostCells
      for (let at = 0; at < free; at += 1) if ((takenUntil[column + at] ?? 0) > row) free = at
      const cell = { element, row, column, columns: free, rows: spanOf(element.attributes.rowspan, rows.length - row) }
      for (let at = 0; at < free; at += 1) takenUntil[column + at] = row + cell.rows
      cells.push(cell)
      column += free
      columns = Math.max(columns, column)
      if (columns > MAX_COLUMNS) throw tooLarge(`A table of the HTML has more than ${MAX_COLUMNS} columns`)
      if (cells.length > MAX_CELLS) throw tooLarge(`A table of the HTML has more than ${MAX_CELLS} cells`)
    }
  }
  return { cells, columns }
}

function isCell(child: HtmlElement | string): child is HtmlElement {
  return typeof child !== 'string' && (child.name === 'td' || child.name === 'th') && !isHidden(child)
}

function spanOf(sent: string | undefined, most: number): number {
  const span = Number(sent ?? 1)
  return Number.isInteger(span) && span >= 1 ? Math.max(1, Math.min(span, most)) : 1
}

/** Each column first gets room for its longest word, as far as that goes; the rest is shared by how much stands in it. */
function shareWidth(cells: readonly Cell[], columns: number, widthPt: number): number[] {
  const chars = Array.from({ length: columns }, () => MIN_CHARS)
  const words = Array.from({ length: columns }, () => 1)
  for (const { element, column, columns: span } of cells) {
    const own = Math.min(MAX_CHARS, Math.ceil(countChars(element) / span))
    const word = Math.min(MAX_WORD_CHARS, Math.ceil(longestWord(element) / span))
    for (let at = column; at < column + span; at += 1) {
      chars[at] = Math.max(chars[at] ?? 0, own)
      words[at] = Math.max(words[at] ?? 0, word)
    }
  }
  const least = words.map((word) => word * CHAR_PT)
  const rest = widthPt - sumOf(least)
  const all = sumOf(chars)
  if (rest < 0) return chars.map((own) => Math.max(1, (own / all) * widthPt))
  return chars.map((own, at) => (least[at] ?? 0) + (own / all) * rest)
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}

function longestWord({ children }: HtmlElement): number {
  let longest = 1
  for (const child of children) {
    if (typeof child !== 'string') longest = Math.max(longest, longestWord(child))
    else for (const [word] of child.slice(0, MAX_LOOKED_AT).matchAll(/\S+/g)) longest = Math.max(longest, word.length)
  }
  return longest
}

function charsOf(rows: readonly HtmlElement[]): number {
  return rows.reduce((sum, row) => sum + countChars(row, Number.POSITIVE_INFINITY), 0)
}

/** Letters inside, up to as many as matter; a picture counts as a long text. */
function countChars({ children, name }: HtmlElement, most = MAX_CHARS): number {
  let chars = name === 'img' ? MAX_CHARS : 0
  for (const child of children) {
    if (chars >= most) return chars
    chars += typeof child === 'string' ? child.trim().length : countChars(child, most)
  }
  return chars
}
