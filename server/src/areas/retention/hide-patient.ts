/** Patient and exam of a listed row, without what the reader's role does not see of exams. */
export function hidePatient<Row extends object>(row: Row, hidden: ReadonlySet<string>): Row {
  const shown = Object.entries(row).map(([name, value]) => [name, hidden.has(name) ? '' : value])
  return Object.fromEntries(shown) as Row // the same fields, some of them empty
}
