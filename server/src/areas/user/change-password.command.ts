import type { PasswordFault } from '@hilum/contract/password-rule'
import type { Tx } from '../../db/database.ts'
import { endSessionsOfUser } from '../session/end-sessions.sql.ts'
import { forgetDevices } from '../session/remembered-device.sql.ts'
import { hashPassword, isPasswordOf } from './password-hash.ts'
import { findPasswordFault } from './password-fault.ts'
import { listNamesOfUser, listPasswordHistory, updatePassword } from './password.sql.ts'

/**
 * Gives a user a new password and ends the user's sessions, but for the one that asks.
 * @returns why the password will not do; nothing is changed then
 */
export async function changePassword(
  tx: Tx,
  userUuid: string,
  password: string,
  exceptSession?: string,
): Promise<PasswordFault | undefined> {
  const fault = await findNewPasswordFault(tx, userUuid, password)
  if (fault) return fault
  await putPassword(tx, userUuid, await hashPassword(password), exceptSession)
  return undefined
}

/** Why a password will not do as a user's new one. */
export async function findNewPasswordFault(
  tx: Tx,
  userUuid: string,
  password: string,
): Promise<PasswordFault | undefined> {
  const fault = findPasswordFault(password, await listNamesOfUser(tx, userUuid))
  if (fault) return fault
  for (const former of await listPasswordHistory(tx, userUuid)) {
    if (await isPasswordOf(former, password)) return 'repeated'
  }
  return undefined
}

/** Puts a password that was looked at in force, and ends the user's sessions but for one. */
export async function putPassword(
  tx: Tx,
  userUuid: string,
  passwordHash: string,
  exceptSession?: string,
): Promise<void> {
  await updatePassword(tx, userUuid, passwordHash)
  await endSessionsOfUser(tx, userUuid, exceptSession)
  await forgetDevices(tx, userUuid)
}
