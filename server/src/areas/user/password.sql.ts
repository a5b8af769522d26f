import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** How many passwords back a new one is compared with (`api-facts` §1). */
const remembered = 3

/** The present hash, with the user's row locked: two changes at once run one after the other. */
export async function lockPasswordHash(db: Db, userUuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ password_hash: string }>`
    select password_hash
    from app_user
    where uuid = ${userUuid}
    for update
  `.execute(db)
  return rows[0]?.password_hash
}

export async function findPasswordHash(db: Db, userUuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ password_hash: string }>`
    select password_hash
    from app_user
    where uuid = ${userUuid}
  `.execute(db)
  return rows[0]?.password_hash
}

/** Hashes of the last passwords, the present one among them, newest first. */
export async function listPasswordHistory(db: Db, userUuid: string): Promise<string[]> {
  const { rows } = await sql<{ password_hash: string }>`
    select password_hash
    from password_history
    where user_uuid = ${userUuid}
    order by at desc
    limit ${remembered}
  `.execute(db)
  return rows.map((row) => row.password_hash)
}

/** Makes it the user's password and remembers it; older ones than are compared are forgotten. */
export async function updatePassword(db: Db, userUuid: string, passwordHash: string): Promise<void> {
  await sql`
    update app_user
    set password_hash = ${passwordHash}, password_set_at = now()
    where uuid = ${userUuid}
  `.execute(db)
  await addToPasswordHistory(db, userUuid, passwordHash)
  await sql`
    update account_user
    set password_reset = false
    where user_uuid = ${userUuid} and password_reset
  `.execute(db)
  await sql`
    delete from password_history
    where user_uuid = ${userUuid}
      and at not in (
        select at
        from password_history
        where user_uuid = ${userUuid}
        order by at desc
        limit ${remembered}
      )
  `.execute(db)
}

/** Notes that somebody else chose the password: it asks for a new one at the first sign-in. */
export async function markPasswordGiven(db: Db, userUuid: string): Promise<void> {
  await sql`
    update app_user
    set password_set_at = '-infinity'
    where uuid = ${userUuid}
  `.execute(db)
}

export async function addToPasswordHistory(db: Db, userUuid: string, passwordHash: string): Promise<void> {
  await sql`
    insert into password_history (user_uuid, at, password_hash)
    values (${userUuid}, clock_timestamp(), ${passwordHash})
  `.execute(db)
}

/** Names that a person's password must not hold: the person's own, logins, and those of the person's accounts. */
export async function listNamesOfUser(db: Db, userUuid: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select unnest(array[first_name, last_name, first_name || ' ' || last_name, email]) as name
    from app_user
    where uuid = ${userUuid}
    union
    select unnest(array[a.name, au.account_login] || string_to_array(a.vanity, ','))
    from account_user au
    join account a on a.uuid = au.account_uuid
    where au.user_uuid = ${userUuid}
    order by name
  `.execute(db)
  return rows.map((row) => row.name)
}

export async function listNamesOfAccount(db: Db, accountUuid: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select unnest(array[name] || string_to_array(vanity, ',')) as name
    from account
    where uuid = ${accountUuid}
    order by name
  `.execute(db)
  return rows.map((row) => row.name)
}
