import { type Kysely, sql } from 'kysely'
import { foldLogin } from '@hilum/contract/fold-login'

/**
 * E-mail addresses and logins as they are looked up: folded by the one function that counts failed sign-ins too, not by
 * the database, whose `lower()` depends on its locale. Of two that are one now, the older keeps the name; the younger
 * cannot sign in until the operator settles which is whose.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app_user add column email_folded text`.execute(db)
  await sql`alter table account_user add column login_folded text not null default ''`.execute(db)
  await foldEmails(db)
  await foldLogins(db)
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table app_user alter column email_folded set not null`,
  `drop index app_user_email`,
  `create unique index app_user_email on app_user (email_folded)`,
  `create unique index account_user_login on account_user (account_uuid, login_folded) where login_folded <> ''`,
  // persons with addresses from which they have signed in, as digests: an attacker there does not lock them out
  `create table known_place (
    key_digest bytea primary key,
    last_used timestamptz not null
  )`,
  // a statement that changes one column and forgets the other would leave a door open under the old name
  `create function refuse_unfolded_email() returns trigger language plpgsql as $$
    begin
      raise exception 'app_user.email was changed without email_folded';
    end
  $$`,
  `create trigger app_user_email_folded before update on app_user
    for each row when (new.email is distinct from old.email and new.email_folded = old.email_folded
      and lower(new.email) <> lower(old.email))
    execute function refuse_unfolded_email()`,
]

async function foldEmails(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ uuid: string; email: string }>`
    select uuid, email from app_user order by password_set_at, uuid
  `.execute(db)
  const taken = new Set<string>()
  for (const { uuid, email } of rows) {
    const folded = foldLogin(email)
    const name = taken.has(folded) ? `${folded} ${uuid}` : folded
    taken.add(name)
    await sql`update app_user set email_folded = ${name} where uuid = ${uuid}`.execute(db)
  }
}

async function foldLogins(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ account_uuid: string; user_uuid: string; account_login: string }>`
    select account_uuid, user_uuid, account_login from account_user where account_login <> '' order by user_uuid
  `.execute(db)
  const taken = new Set<string>()
  for (const { account_uuid: account, user_uuid: user, account_login: login } of rows) {
    const name = foldLogin(login)
    const key = `${account} ${name}`
    if (taken.has(key)) continue
    taken.add(key)
    await sql`
      update account_user set login_folded = ${name} where account_uuid = ${account} and user_uuid = ${user}
    `.execute(db)
  }
}
