/** The byte order mark, by which spreadsheets know UTF-8. */
export const csvMark = '\ufeff'

/** Rows as a whole file of CSV (RFC 4180). */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return csvMark + csvRows(rows)
}

/** Rows of a file of CSV. What a spreadsheet would take for a formula gets an apostrophe before it. */
export function csvRows(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** Beginnings of a formula, those behind blanks and those of full width among them. */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20|]|^[\t\r\n]/
/**
 * Signs that part cells or rows. To a spreadsheet that takes `;` or a tab for the separator, as one in German or French
 * does, a quote within a cell protects nothing, and a new cell begins behind such a sign.
 */
const parting = /[;\t\r\n\v\f\u0085\u2028\u2029]/

function cell(text: string): string {
  const guarded = text.replaceAll(
    /([\s";\u0085]+)([=+\-@\uff1d\uff0b\uff0d\uff20|])?/g,
    (all, before: string, sign?: string) => (sign && parting.test(before) ? `${before}'${sign}` : all),
  )
  const safe = formula.test(text) ? `'${guarded}` : guarded
  return /[",;\t\r\n\v\f]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
