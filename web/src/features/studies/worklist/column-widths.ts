import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { saveSetting } from '../../../session/put-setting.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { gridColumns } from './columns.ts'

/** Setting of the person that keeps the widths of columns: a JSON object of CSS pixels by the ids of columns. */
export const widthsKey = 'worklist_widths'

export const narrowestColumn = 48
export const widestColumn = 640

/** Widths of columns, px; a column without one is as wide as what it holds. */
export type ColumnWidths = Readonly<Record<string, number>>

/** The kept widths; those of unknown columns, and what is no width, are left out. */
export function readWidths(setting: string | undefined): ColumnWidths {
  try {
    const stored: unknown = JSON.parse(setting ?? '{}')
    const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : []
    const known = entries.filter(([id, width]) => gridColumns.some((one) => one.id === id) && Number.isFinite(width))
    return Object.fromEntries(known.map(([id, width]) => [id, heldWidth(Number(width))]))
  } catch {
    return {} // a setting that another client wrote
  }
}

function heldWidth(width: number): number {
  return Math.round(Math.min(widestColumn, Math.max(narrowestColumn, width)))
}

/** The person's widths; a change shows at once and is kept when `isFinal`, at the end of a drag. */
export function useColumnWidths() {
  const { settings } = useEstablished()
  const [wanted, setWanted] = useState<ColumnWidths>()
  const widths = wanted ?? readWidths(settings[widthsKey])
  const { mutate } = useMutation({
    mutationFn: (next: ColumnWidths) => saveSetting(widthsKey, JSON.stringify(next)),
    onSuccess: (_reply, stored) => setWanted((now) => (now === stored ? undefined : now)),
  })
  const setWidth = (id: string, width: number | undefined, isFinal: boolean) => {
    const { [id]: _before, ...rest } = widths
    const next = width === undefined ? rest : { ...rest, [id]: heldWidth(width) }
    setWanted(next)
    if (isFinal) mutate(next)
  }
  return [widths, setWidth] as const
}
