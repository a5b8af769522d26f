import { foldLogin } from '@hilum/contract/fold-login'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/**
 * For the enabled user with this e-mail address, if there is one: keeps the digest of a token and queues a mail. One
 * statement, so that it takes the same whoever was asked for.
 */
export async function askForReset(
  db: Db,
  asked: {
    /** Folded (`foldLogin`). */
    email: string
    tokenDigest: Buffer
    minutes: number
    mailUuid: string
    subject: string
    body: string
    /** The link, sealed for the mail's uuid. */
    sealedSecret: Buffer
    clientAddress: string
  },
): Promise<void> {
  await sql`
    with found as (
      select u.uuid, u.email, u.email_folded, (
          select a.uuid
          from account_user au
          join account a on a.uuid = au.account_uuid
          where au.user_uuid = u.uuid and not au.disabled
          order by a.created, a.uuid
          limit 1
        ) as account_uuid
      from app_user u
      where u.email_folded = ${asked.email} and not u.disabled
    ), token as (
      insert into password_reset (token_digest, user_uuid, expires_at, mailed_to)
      select ${asked.tokenDigest}, uuid, now() + make_interval(mins => ${asked.minutes}), email_folded
      from found
    ), record as (
      insert into audit (account_uuid, actor_kind, action, type, object_uuid, detail)
      select account_uuid, 'system', 'PASSWORD_LOST', 'User', uuid, jsonb_build_object('client_address', ${asked.clientAddress}::text)
      from found
    )
    insert into mail (uuid, account_uuid, recipient, subject, body, sealed_secret, secret_expires_at)
    select ${asked.mailUuid}, account_uuid, email, ${asked.subject}, ${asked.body}, ${asked.sealedSecret},
      now() + make_interval(mins => ${asked.minutes})
    from found
  `.execute(db)
}

/** Keeps the digest of a token, mailed to an address, by which the user who has that address chooses a new password. */
export async function addResetToken(
  db: Db,
  user: { uuid: string; email: string },
  tokenDigest: Buffer,
  minutes: number,
): Promise<void> {
  await sql`
    insert into password_reset (token_digest, user_uuid, expires_at, mailed_to)
    values (${tokenDigest}, ${user.uuid}, now() + make_interval(mins => ${minutes}), ${foldLogin(user.email)})
  `.execute(db)
}

/** Whether the person of token `r`, user `u`, has the address still that the token was mailed to. */
const isOfPresentAddress: RawBuilder<unknown> = sql`(r.mailed_to is null or r.mailed_to = u.email_folded)`

/** Whether a token lives. */
export async function findResetToken(db: Db, tokenDigest: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from password_reset r
    join app_user u on u.uuid = r.user_uuid
    where r.token_digest = ${tokenDigest}
      and r.used_at is null
      and r.expires_at > now()
      and not u.disabled
      and ${isOfPresentAddress}
  `.execute(db)
  return rows.length > 0
}

interface LiveToken {
  user_uuid: string
  email: string
  /** Folded; null where the token was made by an earlier release. */
  mailed_to: string | null
  account_uuid: string | null
}

/** The user of a live token, with the token's row locked. */
export async function lockResetToken(db: Db, tokenDigest: Buffer): Promise<LiveToken | undefined> {
  const { rows } = await sql<LiveToken>`
    select r.user_uuid, r.mailed_to, u.email, (
        select au.account_uuid
        from account_user au
        join account a on a.uuid = au.account_uuid
        where au.user_uuid = r.user_uuid
        order by a.created, a.uuid
        limit 1
      ) as account_uuid
    from password_reset r
    join app_user u on u.uuid = r.user_uuid
    where r.token_digest = ${tokenDigest}
      and r.used_at is null
      and r.expires_at > now()
      and not u.disabled
      and ${isOfPresentAddress}
    for update of r
  `.execute(db)
  return rows[0]
}

/** After one was used, no other link that was mailed to this user works. */
export async function useUpResetTokens(db: Db, userUuid: string): Promise<void> {
  await sql`
    update password_reset
    set used_at = now()
    where user_uuid = ${userUuid} and used_at is null
  `.execute(db)
}
