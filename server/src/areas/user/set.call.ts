import type { userSet } from '@hilum/contract/calls/user'
import type { PasswordFault } from '@hilum/contract/password-rule'
import { digestOf } from '../../access/sid.ts'
import { writeOwnAudit } from '../audit/write-own-audit.command.ts'
import type { Tx } from '../../db/database.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { perLogin, perShareChange } from '../session/attempt-rules.ts'
import { forgetAttempts, mayAttempt } from '../session/attempt.sql.ts'
import { isProvenLately, noteProof } from '../session/pin-session.sql.ts'
import { findTwoFactorState } from '../session/two-factor.sql.ts'
import { noteAgreement } from '../account/note-agreement.command.ts'
import { changePassword } from './change-password.command.ts'
import { isPasswordOf } from './password-hash.ts'
import { lockPasswordHash } from './password.sql.ts'
import { requirePin } from '../account/require-pin.ts'
import { findProfileFault } from './profile.policy.ts'
import { nameOwnPlace } from './user-write.sql.ts'
import { findUser, isShareCodeTaken, updateProfile } from './user.sql.ts'

export const set: Handler<typeof userSet> = async (request) => {
  const { services, input, caller, fail } = request
  if (input.uuid && input.uuid !== caller.userUuid) return requirePin(request, input.uuid)
  if (input.pin_required !== undefined) throw fail('NOT_PERMITTED', { subtype: 'SELF' })
  await demandOwn(request)
  const { time_zone, ui_json } = input
  const [first, last, mobile_phone] = [input.first?.trim(), input.last?.trim(), input.mobile_phone?.trim()]
  const [share_code, share_description] = [input.share_code?.trim(), input.share_description?.trim()]
  const { terms_md5, privacy_md5, indicator_md5 } = input
  const agreed = { terms_md5, privacy_md5, indicator_md5 }
  const change = { first, last, mobile_phone, share_code, share_description, time_zone, ui_json, ...agreed }
  const fault = findProfileFault(change)
  if (fault) throw fail(fault.code, { subtype: fault.field })
  if (first === '' || last === '') await demandName(request, { first, last })
  if (share_code) await demandShareCodeChange(request, share_code)
  if (input.password) await demandPasswordChange(request)
  else if (input.old_password || input.password_confirm) throw fail('MISSING_FIELDS', { subtype: ['password'] })
  const passwordFault = await services.db.transaction().execute(async (tx) => {
    const fault = input.password ? await setPassword(request, tx, input.password) : undefined
    // committed: the old password was right, which ends the count of wrong ones
    if (fault || namesOf(change).length === 0) return fault
    if (share_code && (await isShareCodeTaken(tx, share_code, caller.userUuid))) {
      throw fail('INVALID_FIELD', { subtype: 'share_code' })
    }
    await noteAgreement(tx, caller, agreed)
    await updateProfile(tx, caller.userUuid, change)
    if (first !== undefined || last !== undefined) await nameOwnPlace(tx, caller.userUuid)
    await writeOwnAudit(tx, caller, 'EDIT', { fields: namesOf(change) })
    return undefined
  })
  if (passwordFault) throw fail('BAD_PASSWORD', { subtype: passwordFault })
  return { message: `Your ${input.password ? 'password has been changed' : 'profile has been saved'}.` }
}

/** A named account must be the caller's own, and the e-mail address is the administrator's to change. */
async function demandOwn({ services, input, caller, fail }: CallRequest<typeof userSet>): Promise<void> {
  const { account_id: account, email } = input
  const isMember = (await caller.memberships()).some((one) => one.kind === 'account' && one.ownerUuid === account)
  if (account !== undefined && !isMember) throw fail('NOT_FOUND', { subtype: 'account_id' })
  if (email === undefined) return
  const stored = (await findUser(services.db, caller.userUuid))?.email ?? ''
  if (email.trim().toLowerCase() !== stored.toLowerCase()) throw fail('NOT_PERMITTED', { subtype: 'email' })
}

/** A name that is there is changed and never emptied, as by blanks alone; who came with one name alone has one. */
async function demandName(
  { services, caller, fail }: CallRequest<typeof userSet>,
  { first, last }: { first: string | undefined; last: string | undefined },
): Promise<void> {
  const stored = await findUser(services.db, caller.userUuid)
  if (first === '' && stored?.first_name !== '') throw fail('INVALID_FIELD', { subtype: 'first' })
  if (last === '' && stored?.last_name !== '') throw fail('INVALID_FIELD', { subtype: 'last' })
}

/** Counted before it is tried, so that the codes of others cannot be found by trying many. The present one is no try. */
async function demandShareCodeChange(
  { services, caller, fail }: CallRequest<typeof userSet>,
  shareCode: string,
): Promise<void> {
  const stored = (await findUser(services.db, caller.userUuid))?.share_code ?? ''
  if (stored.toLowerCase() === shareCode.toLowerCase()) return
  const isOpen = await mayAttempt(services.db, 'share-code-change', digestOf(caller.userUuid), perShareChange)
  if (!isOpen) throw fail('LOCKOUT', { subtype: 'share_code' })
}

async function demandPasswordChange({ services, input, caller, fail }: CallRequest<typeof userSet>): Promise<void> {
  if (!input.old_password) throw fail('MISSING_FIELDS', { subtype: ['old_password'] })
  if (input.password_confirm && input.password_confirm !== input.password) {
    throw fail('INVALID_FIELD', { subtype: 'password_confirm' })
  }
  const { is_on: hasSecond } = await findTwoFactorState(services.db, caller.userUuid)
  if (hasSecond && !(await isProvenLately(services.db, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
  // a stolen session must not serve to guess the password
  if (!(await mayAttempt(services.db, 'password-change', digestOf(caller.userUuid), perLogin))) throw fail('LOCKOUT')
}

async function setPassword(
  request: CallRequest<typeof userSet>,
  tx: Tx,
  password: string,
): Promise<PasswordFault | undefined> {
  const { input, caller, fail } = request
  const passwordHash = await lockPasswordHash(tx, caller.userUuid)
  if (!(await isPasswordOf(passwordHash, input.old_password ?? ''))) throw fail('INVALID_PASSWORD')
  await forgetAttempts(tx, 'password-change', digestOf(caller.userUuid))
  const fault = await changePassword(tx, caller.userUuid, password, caller.sessionUuid)
  if (fault) return fault
  await noteProof(tx, caller.sessionUuid)
  await writeOwnAudit(tx, caller, 'PASSWORD_CHANGE')
  return undefined
}

function namesOf(change: object): string[] {
  return Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}
