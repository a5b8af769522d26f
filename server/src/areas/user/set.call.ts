import type { userSet } from '@hilum/contract/calls/user'
import { digestOf } from '../../access/sid.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { perLogin } from '../session/attempt-rules.ts'
import { forgetAttempts, mayAttempt } from '../session/attempt.sql.ts'
import { changePassword } from './change-password.command.ts'
import { isPasswordOf } from './password-hash.ts'
import { lockPasswordHash } from './password.sql.ts'
import { findProfileFault } from './profile.policy.ts'
import { isShareCodeTaken, updateProfile } from './user.sql.ts'

export const set: Handler<typeof userSet> = async (request) => {
  const { services, input, caller, fail } = request
  if (input.uuid && input.uuid !== caller.userUuid) throw fail('NOT_FOUND')
  const { first, last, mobile_phone, share_code, share_description, time_zone, ui_json } = input
  const change = { first, last, mobile_phone, share_code, share_description, time_zone, ui_json }
  const fault = findProfileFault(change)
  if (fault) throw fail(fault.code, { subtype: fault.field })
  if (input.password) return setPassword(request, input.password)
  await services.db.transaction().execute(async (tx) => {
    if (share_code && (await isShareCodeTaken(tx, share_code, caller.userUuid))) {
      throw fail('INVALID_FIELD', { subtype: 'share_code' })
    }
    await updateProfile(tx, caller.userUuid, change)
    await writeUserAudit(request, tx, 'EDIT', { fields: namesOf(change) })
  })
  return { message: 'Your profile has been saved.' }
}

async function setPassword(request: CallRequest<typeof userSet>, password: string) {
  const { services, input, caller, fail } = request
  if (!input.old_password) throw fail('MISSING_FIELDS', { subtype: ['old_password'] })
  if (input.password_confirm && input.password_confirm !== password) {
    throw fail('INVALID_FIELD', { subtype: 'password_confirm' })
  }
  const { old_password } = input
  const byUser = digestOf(caller.userUuid)
  // a stolen session must not serve to guess the password
  if (!(await mayAttempt(services.db, 'password-change', byUser, perLogin))) throw fail('LOCKOUT')
  await services.db.transaction().execute(async (tx) => {
    const passwordHash = await lockPasswordHash(tx, caller.userUuid)
    if (!(await isPasswordOf(passwordHash, old_password))) throw fail('INVALID_PASSWORD')
    await forgetAttempts(tx, 'password-change', byUser)
    if (!(await changePassword(tx, caller.userUuid, password, caller.sessionUuid))) throw fail('BAD_PASSWORD')
    await writeUserAudit(request, tx, 'PASSWORD_CHANGE', {})
  })
  return { message: 'Your password has been changed.' }
}

async function writeUserAudit(
  { caller }: CallRequest<typeof userSet>,
  tx: Parameters<typeof writeAudit>[0],
  action: string,
  detail: Record<string, unknown>,
): Promise<void> {
  const account = (await caller.memberships()).find((one) => one.kind === 'account')
  const accountUuid = account?.accountUuid ?? null
  await writeAudit(tx, { accountUuid, caller, action, type: 'User', objectUuid: caller.userUuid, detail })
}

function namesOf(change: object): string[] {
  return Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}
