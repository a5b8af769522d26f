import { sql } from 'kysely'
import type { Database, Db } from '../../db/database.ts'

type AttemptKind =
  | 'login'
  | 'share-code-opened'
  | 'login-person'
  | 'login-name'
  | 'login-address'
  | 'pin'
  | 'pin-person'
  | 'pin-session'
  | 'password-change'
  | 'password-lost'
  | 'password-lost-person'
  | 'password-lost-address'
  | 'password-reset-address'
  | 'share-code-address'
  | 'share-code-change'
  | 'share-code-send'
  | 'connection-ask'
  | 'welcome'
  | 'link-address'
  | 'link-pin'
  | 'link-pin-address'
  | 'identity-address'
  | 'identity-return'
  | 'webhook-asked'
  | 'report'

export interface AttemptRule {
  /** Attempts that are let through. */
  most: number
  minutes: number
  /** True: the time runs from the last attempt let through, so the lock lasts in full. False: from the first. */
  fromLast: boolean
}

/**
 * Counts an attempt and says whether it may go on. Counted before it is tried, so that a hundred at once are not a
 * hundred tries. A refused one changes nothing: the lock ends on time however often somebody knocks.
 */
export async function mayAttempt(
  db: Database,
  kind: AttemptKind,
  keyDigest: Buffer,
  rule: AttemptRule,
): Promise<boolean> {
  return (await countAttempt(db, kind, keyDigest, rule)) !== undefined
}

/** As `mayAttempt`. @returns how many were counted before this one; undefined when it may not go on */
export async function countAttempt(
  db: Database,
  kind: AttemptKind,
  keyDigest: Buffer,
  rule: AttemptRule,
): Promise<number | undefined> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${kind + keyDigest.toString('hex')}, 0))`.execute(tx)
    await sql`
      delete from attempt
      where kind = ${kind}
        and key_digest = ${keyDigest}
        and window_start <= now() - make_interval(mins => ${rule.minutes})
    `.execute(tx)
    const { rows } = await sql<{ count: number }>`
      select count
      from attempt
      where kind = ${kind} and key_digest = ${keyDigest}
    `.execute(tx)
    const count = rows[0]?.count
    if (count === undefined) {
      await sql`
        insert into attempt (kind, key_digest, window_start, count)
        values (${kind}, ${keyDigest}, now(), 1)
      `.execute(tx)
      return 0
    }
    if (count >= rule.most) return undefined
    await sql`
      update attempt
      set count = count + 1, window_start = case when ${rule.fromLast} then now() else window_start end
      where kind = ${kind} and key_digest = ${keyDigest}
    `.execute(tx)
    return count
  })
}

/** The attempt was a good one: it does not count. */
export async function giveBackAttempt(db: Db, kind: AttemptKind, keyDigest: Buffer): Promise<void> {
  await sql`
    update attempt
    set count = greatest(count - 1, 0)
    where kind = ${kind} and key_digest = ${keyDigest}
  `.execute(db)
}

export async function forgetAttempts(db: Db, kind: AttemptKind, keyDigest: Buffer): Promise<void> {
  await sql`
    delete from attempt
    where kind = ${kind} and key_digest = ${keyDigest}
  `.execute(db)
}

/** Remembers that a person has signed in from an address. */
export async function noteKnownPlace(db: Db, placeDigest: Buffer): Promise<void> {
  await sql`
    insert into known_place (key_digest, last_used)
    values (${placeDigest}, now())
    on conflict (key_digest) do update
    set last_used = excluded.last_used
  `.execute(db)
}

export async function isKnownPlace(db: Db, placeDigest: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select from known_place where key_digest = ${placeDigest}
  `.execute(db)
  return rows.length > 0
}
