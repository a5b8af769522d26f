import type { Tx } from '../../db/database.ts'
import { deleteLook } from './put-to-rules.sql.ts'

/** Has no rule look at a record for a separation or a merge that was undone, nor act where it has not begun. */
export async function callOffRules(tx: Tx, studyUuid: string, separation: string): Promise<void> {
  await deleteLook(tx, studyUuid, separatedBy(separation))
}

/** The occasion of a look at a record that a separation or a merge made ready. */
export function separatedBy(separation: string): string {
  return `separation ${separation}`
}
