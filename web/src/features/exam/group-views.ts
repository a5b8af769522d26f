/** A row of a history, as far as it is like another one. */
interface HistoryRow {
  action: string
  /** Moment, as the wire has it. */
  when: string
  who: string
  what: string
  with: string
  changes: readonly unknown[]
  notes: readonly unknown[]
}

const views: ReadonlySet<string> = new Set(['STUDY_VIEW', 'REPORT_VIEW', 'LINK_OPEN'])

/**
 * One row for views that the same person repeated with nothing between them: the newest, with how many there are and
 * when the first was. Acts that changed something keep a row each.
 * @param rows newest first
 */
export function groupViews<Row extends HistoryRow>(rows: readonly Row[]): (Row & { count: number; first: string })[] {
  const grouped: (Row & { count: number; first: string })[] = []
  for (const row of rows) {
    const last = grouped.at(-1)
    if (last && isRepeated(last, row)) {
      last.count += 1
      last.first = row.when
    } else grouped.push({ ...row, count: 1, first: row.when })
  }
  return grouped
}

function isRepeated(newer: HistoryRow, older: HistoryRow): boolean {
  const isPlainView = [newer, older].every(
    ({ action, changes, notes }) => views.has(action) && changes.length + notes.length === 0,
  )
  return isPlainView && newer.who === older.who && newer.what === older.what && newer.with === older.with
}
