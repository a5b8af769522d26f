import { useState } from 'react'

interface Changes<Values> {
  changes: Partial<Values>
  /** Values as they were shown when each field was changed first. */
  replaced: Partial<Values>
}

/** Changes in a form that stays open after it saved, and the values that they replace. */
export function useChanges<Values extends object>(loaded: Values) {
  const [{ changes, replaced }, setChanges] = useState<Changes<Values>>({ changes: {}, replaced: {} })
  const put = (part: Partial<Values>) => {
    const before = pick(loaded, Object.keys(part))
    setChanges({ changes: { ...changes, ...part }, replaced: { ...before, ...replaced } })
  }
  return {
    form: { ...loaded, ...changes },
    put,
    clear: () => setChanges({ changes: {}, replaced: {} }),
    /** Values of these fields as they were shown first. */
    seenOf: (fields: readonly string[]) => pick({ ...loaded, ...replaced }, fields),
  }
}

function pick<Values extends object>(values: Values, fields: readonly string[]): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field))) as Partial<Values> // fields of it
}
