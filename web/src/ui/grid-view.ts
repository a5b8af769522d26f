export interface GridSort {
  field: string
  isDescending: boolean
}
/** Page, rows per page and order of a list, as the server is asked for it. */
export interface GridView {
  page: number
  rows: number
  sort: GridSort
}
export interface GridTexts {
  label: string
  loading: string
  failed: string
  retry: string
  empty: string
  acts: string
  selectAll: string
  selectOne: (name: string) => string
  rowsPerPage: string
  previous: string
  next: string
  /** Rows shown, e.g. "11 to 20 of 57". */
  range: (from: number, to: number) => string
}

/** GRID-04 */
export const rowsPerPage = [10, 25, 50, 100] as const

/** A number of rows per page as it was stored, or the default. */
export function readRows(stored: string | undefined): number {
  return rowsPerPage.find((rows) => String(rows) === stored) ?? rowsPerPage[0]
}

/**
 * Rows per page that a role's `ui_json` has for a page (PERM-18), as text: `{"users": {"rows": 50}}`. Undefined where it
 * says nothing that can be read.
 */
export function rowsInUi(uiJson: number | string | undefined, page: string): string | undefined {
  if (typeof uiJson !== 'string') return undefined
  try {
    const read = JSON.parse(uiJson) as Record<string, { rows?: unknown } | undefined> | null
    const rows = read?.[page]?.rows
    return rows === undefined ? undefined : String(rows)
  } catch {
    return undefined // any text that an administrator wrote
  }
}
