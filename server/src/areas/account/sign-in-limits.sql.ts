import { foldLogin } from '@hilum/contract/fold-login'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

/** How a person signs in to one account; 0 where the account's own limits hold. */
export interface SignInRow {
  account_login: string
  session_expire: number
  max_sessions: number
  password_reset: number
  pin_required: number
  sso_only: number
}

export async function lockSignIn(tx: Tx, accountUuid: string, userUuid: string): Promise<SignInRow | undefined> {
  const { rows } = await sql<SignInRow>`
    select account_login, session_expire_minutes as session_expire, max_sessions,
      password_reset::integer as password_reset, pin_required::integer as pin_required,
      sso_only::integer as sso_only
    from account_user
    where account_uuid = ${accountUuid} and user_uuid = ${userUuid}
    for update
  `.execute(tx)
  return rows[0]
}

/** As `lockSignIn`, to be shown. */
export async function findSignIn(db: Db, accountUuid: string, userUuid: string): Promise<SignInRow | undefined> {
  const { rows } = await sql<SignInRow>`
    select account_login, session_expire_minutes as session_expire, max_sessions,
      password_reset::integer as password_reset, pin_required::integer as pin_required,
      sso_only::integer as sso_only
    from account_user
    where account_uuid = ${accountUuid} and user_uuid = ${userUuid}
  `.execute(db)
  return rows[0]
}

/** Whether another person of the account has a login. Changes of an account's people run one after the other. */
export async function isLoginTaken(tx: Tx, accountUuid: string, userUuid: string, folded: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from account_user
    where account_uuid = ${accountUuid} and login_folded = ${folded} and user_uuid <> ${userUuid}
  `.execute(tx)
  return rows.length > 0
}

/** Whether a person who belongs to this account has the login from another one, and belongs to that one still. */
export async function hasHomeElsewhere(tx: Tx, accountUuid: string, userUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from app_user u
    join namespace n on n.uuid = u.namespace_uuid
    join account_user home on home.account_uuid = n.account_uuid and home.user_uuid = u.uuid and not home.disabled
    where u.uuid = ${userUuid} and n.account_uuid <> ${accountUuid}
  `.execute(tx)
  return rows.length > 0
}

/** Whether this is the person's own e-mail address. */
export async function isOwnAddress(tx: Tx, userUuid: string, folded: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from app_user
    where uuid = ${userUuid} and email_folded = ${folded}
  `.execute(tx)
  return rows.length > 0
}

export async function updateSignIn(tx: Tx, accountUuid: string, userUuid: string, now: SignInRow): Promise<void> {
  await sql`
    update account_user
    set account_login = ${now.account_login}, login_folded = ${foldLogin(now.account_login)},
      session_expire_minutes = ${now.session_expire}, max_sessions = ${now.max_sessions},
      password_reset = ${now.password_reset === 1}, pin_required = ${now.pin_required === 1},
      sso_only = ${now.sso_only === 1}
    where account_uuid = ${accountUuid} and user_uuid = ${userUuid}
  `.execute(tx)
}
