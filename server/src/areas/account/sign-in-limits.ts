import { maxAccountLogin, personLimits } from '@hilum/contract/calls/account-user'
import { ApiError } from '@hilum/contract/errors'
import { foldLogin } from '@hilum/contract/fold-login'
import type { Tx } from '../../db/database.ts'
import { putSentChoices, type SentChoices } from '../user/sent-choices.command.ts'
import {
  hasHomeElsewhere,
  isLoginTaken,
  isOwnAddress,
  lockSignIn,
  type SignInRow,
  updateSignIn,
} from './sign-in-limits.sql.ts'

export interface SentSignIn extends SentChoices {
  account_login?: string | undefined
  session_expire?: number | undefined
  max_sessions?: number | undefined
  password_reset?: 0 | 1 | undefined
  pin_demanded?: 0 | 1 | undefined
  sso_only?: 0 | 1 | undefined
}
interface Place {
  accountUuid: string
  namespaceUuid: string
  userUuid: string
}

/** Of a person these hold wherever the person works: the organisation in which the login was made sets them. */
const ofEverySignIn = ['session_expire', 'max_sessions', 'password_reset'] as const

/**
 * Changes how a person signs in to an account, and of what in the account's own inbox the person is mailed.
 * @returns old and new value by field, for the record
 * @throws ApiError DUPLICATE_NAME, INVALID_FIELD, INVALID_INTEGER, NOT_PERMITTED
 */
export async function changeSignIn(
  tx: Tx,
  place: Place,
  sent: SentSignIn,
): Promise<Record<string, [unknown, unknown]>> {
  const { accountUuid, userUuid } = place
  const events = await putSentChoices(tx, place, sent)
  const before = await lockSignIn(tx, accountUuid, userUuid)
  if (!before) throw new ApiError('USER_NOT_FOUND')
  const now: SignInRow = {
    account_login: sent.account_login?.trim() ?? before.account_login,
    session_expire: readLimit('session_expire', sent.session_expire) ?? before.session_expire,
    max_sessions: readLimit('max_sessions', sent.max_sessions) ?? before.max_sessions,
    password_reset: sent.password_reset ?? before.password_reset,
    pin_required: sent.pin_demanded ?? before.pin_required,
    sso_only: sent.sso_only ?? before.sso_only,
  }
  const names = (Object.keys(now) as (keyof SignInRow)[]).filter((name) => now[name] !== before[name])
  if (names.includes('account_login')) await demandLogin(tx, place, now.account_login)
  const isBurden = ofEverySignIn.some((name) => names.includes(name) && now[name] !== 0)
  if (isBurden && (await hasHomeElsewhere(tx, accountUuid, userUuid))) {
    throw new ApiError('NOT_PERMITTED', { subtype: 'OTHER_ACCOUNTS' })
  }
  if (names.length > 0) await updateSignIn(tx, accountUuid, userUuid, now)
  return { ...Object.fromEntries(names.map((name) => [name, [before[name], now[name]]])), ...events }
}

function readLimit(name: keyof typeof personLimits, sent: number | undefined): number | undefined {
  const { least, most } = personLimits[name]
  if (sent !== undefined && sent !== 0 && (sent < least || sent > most)) {
    throw new ApiError('INVALID_INTEGER', { subtype: name })
  }
  return sent
}

async function demandLogin(tx: Tx, { accountUuid, userUuid }: Place, login: string): Promise<void> {
  if (login.length > maxAccountLogin || /[\p{Cc}\s]/u.test(login)) {
    throw new ApiError('INVALID_FIELD', { subtype: 'account_login' })
  }
  // an address is by itself the login of whoever reads its mails
  if (login.includes('@') && !(await isOwnAddress(tx, userUuid, foldLogin(login)))) {
    throw new ApiError('INVALID_FIELD', { subtype: 'account_login' })
  }
  if (login && (await isLoginTaken(tx, accountUuid, userUuid, foldLogin(login)))) {
    throw new ApiError('DUPLICATE_NAME', { subtype: 'account_login' })
  }
}
