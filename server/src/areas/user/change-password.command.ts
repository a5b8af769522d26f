import { isGoodPassword } from '@hilum/contract/password-rule'
import type { Tx } from '../../db/database.ts'
import { endSessionsOfUser } from '../session/end-sessions.sql.ts'
import { hashPassword, isPasswordOf } from './password-hash.ts'
import { listPasswordHistory, updatePassword } from './password.sql.ts'

/**
 * Gives a user a new password and ends the user's sessions, but for the one that asks.
 * @returns false, and changes nothing, when the password breaks the rule or is one of the last three
 */
export async function changePassword(
  tx: Tx,
  userUuid: string,
  password: string,
  keepSession?: string,
): Promise<boolean> {
  if (!isGoodPassword(password)) return false
  for (const former of await listPasswordHistory(tx, userUuid)) {
    if (await isPasswordOf(former, password)) return false
  }
  await updatePassword(tx, userUuid, await hashPassword(password))
  await endSessionsOfUser(tx, userUuid, keepSession)
  return true
}
