import { closedFieldFlags, type FieldFlags, readFieldFlags } from '@hilum/contract/study-field-access'

/** Flags as a setting keeps them, and whether all of it could be read. */
interface StoredFieldFlags {
  flags: FieldFlags
  isReadable: boolean
}

const none: StoredFieldFlags = { flags: {}, isReadable: true }
const closed: StoredFieldFlags = { flags: closedFieldFlags, isReadable: false }

/**
 * The setting `study_field_flags`, a JSON object by flag. Somebody kept it in order to hide something, so what cannot
 * be read hides: the field that it names, or all of them.
 */
export function readStoredFieldFlags(stored: string | null | undefined): StoredFieldFlags {
  if (stored === null || stored === undefined) return none
  const read = parse(stored)
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return closed
  return readFieldFlags({ ...read })
}

function parse(stored: string): unknown {
  try {
    return JSON.parse(stored)
  } catch {
    return undefined // a setting is whatever text somebody kept
  }
}
