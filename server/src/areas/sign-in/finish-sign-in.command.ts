import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { endOldestSessions } from '../session/end-sessions.sql.ts'
import { mostSessions, sessionLifeMinutes } from '../session/open-session.command.ts'
import { openWaiting, type PinSession } from '../session/pin-session.sql.ts'
import { noteLogin } from '../session/sign-in.sql.ts'
import { putPassword } from '../user/change-password.command.ts'

/**
 * Opens a session that waited, as signing in does, and puts a password that came with the sign-in in force. The caller
 * holds the person's row.
 * @returns false where the time of the session is over
 */
export async function finishSignIn(
  tx: Tx,
  session: PinSession,
  { clientAddress }: { clientAddress: string },
  { secondFactor, isRemembered = false }: { secondFactor: string; isRemembered?: boolean },
): Promise<boolean> {
  const opened = await openWaiting(tx, session.uuid, sessionLifeMinutes)
  if (!opened) return false
  const { method, provider, provider_proof: proof, new_password_hash: newPasswordHash } = opened
  const { user_uuid: userUuid, user_name: name, account_uuid: accountUuid } = session
  if (newPasswordHash !== null) await putPassword(tx, userUuid, newPasswordHash, session.uuid)
  await endOldestSessions(tx, userUuid, 'screens', mostSessions(session))
  await noteLogin(tx, userUuid)
  await writeAudit(tx, {
    accountUuid,
    caller: { userUuid, name, clientAddress },
    action: 'LOGIN',
    type: 'User',
    objectUuid: userUuid,
    detail: {
      ...(method === 'sso' ? { method, ...(provider === null ? {} : { provider }), ...proof } : {}),
      ...(newPasswordHash === null ? {} : { password_changed: 1 }),
      second_factor: secondFactor,
      ...(isRemembered ? { remembered_device: ['', 'remembered'] } : {}),
    },
  })
  return true
}
