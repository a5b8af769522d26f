/**
 * Rows as CSV (RFC 4180) with a byte order mark, by which spreadsheets know UTF-8. A cell that a spreadsheet would take
 * for a formula gets an apostrophe before it.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

/** Beginnings of a formula, those behind blanks and those of full width among them. */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20|]|^[\t\r\n]/

function cell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
