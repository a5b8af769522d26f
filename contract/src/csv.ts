/** The byte order mark, by which spreadsheets know UTF-8. */
export const csvMark = '\ufeff'

/** Rows as a whole file of CSV (RFC 4180). */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return csvMark + csvRows(rows)
}

/** Rows of a file of CSV. A cell that a spreadsheet would take for a formula gets an apostrophe before it. */
export function csvRows(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** Beginnings of a formula, those behind blanks and those of full width among them. */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20|]|^[\t\r\n]/

function cell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
