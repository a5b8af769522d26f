import { useState } from 'react'

/** Rows that are selected on all pages of a grid (GRID-02), as they were when they were selected. */
export function useSelection<Row>(keyOf: (row: Row) => string) {
  const [selection, setSelection] = useState<ReadonlyMap<string, Row>>(new Map())
  const select = (rows: readonly Row[], isSelected: boolean) => {
    const next = new Map(selection)
    for (const one of rows) {
      if (isSelected) next.set(keyOf(one), one)
      else next.delete(keyOf(one))
    }
    setSelection(next)
  }
  return {
    keys: new Set(selection.keys()),
    /** The selected rows, as they are now where this page shows them. */
    rowsWith: (shown: readonly Row[] | undefined) => {
      const now = new Map(shown?.map((one) => [keyOf(one), one]))
      return [...selection].map(([key, row]) => now.get(key) ?? row)
    },
    select,
    clear: () => setSelection(new Map()),
  }
}
