import { useState } from 'react'
import { saveSetting } from '../../../session/put-setting.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { type GridView, readRows, rowsInUi } from '../../../ui/grid-view.ts'

/**
 * Rows per page of a grid, kept for the person.
 * @param name names the page in a role's `ui_json` (PERM-18), and the person's setting: `users_rows_to_display`
 */
export function useStoredRows(name: string): [rows: number, put: (rows: number) => void] {
  const { settings, permissions } = useEstablished()
  const setting = `${name}_rows_to_display`
  const [rows, setRows] = useState(() => readRows(settings[setting] ?? rowsInUi(permissions['ui_json'], name)))
  const put = (next: number) => {
    if (next === rows) return
    setRows(next)
    void saveSetting(setting, String(next)).catch(() => undefined) // the grid has it
  }
  return [rows, put]
}

/**
 * Page and order of a grid that has no address of its own, in a dialog say; rows per page, kept for the person.
 * @param isNewestFirst the order at first begins with the greatest
 */
export function useGridView(
  name: string,
  sortedBy: string,
  isNewestFirst = false,
): [view: GridView, put: (view: GridView) => void] {
  const [rows, putRows] = useStoredRows(name)
  const [place, setPlace] = useState({ page: 1, sort: { field: sortedBy, isDescending: isNewestFirst } })
  const put = ({ page, sort, rows: next }: GridView) => {
    setPlace({ page, sort })
    putRows(next)
  }
  return [{ ...place, rows }, put]
}
