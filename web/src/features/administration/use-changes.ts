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
  /** Forgets the changes that were sent, and keeps what was typed while they were saved. */
  const settle = () =>
    setChanges((now) => {
      const sent = new Map<string, unknown>(Object.entries(changes))
      const typed = Object.entries(now.changes).filter(
        ([field, value]) => !sent.has(field) || sent.get(field) !== value,
      )
      return {
        changes: pick(now.changes, fieldsOf(typed)) as Partial<Values>,
        // a field that was sent is loaded anew: what the person typed since replaces that
        replaced: pick(now.replaced, fieldsOf(typed.filter(([field]) => !sent.has(field)))) as Partial<Values>,
      }
    })
  return {
    form: { ...loaded, ...changes },
    put,
    clear: () => setChanges({ changes: {}, replaced: {} }),
    settle,
    /** Values of these fields as they were shown first. */
    seenOf: (fields: readonly string[]) => pick({ ...loaded, ...replaced }, fields),
  }
}

const fieldsOf = (entries: readonly (readonly [string, unknown])[]) => entries.map(([field]) => field)

function pick<Values extends object>(values: Values, fields: readonly string[]): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field))) as Partial<Values> // fields of it
}
