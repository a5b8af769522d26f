import { type Kysely, sql } from 'kysely'

/**
 * A mail's text names no secret any more: the secret lies beside it, sealed with the installation's key, and is wiped
 * when the mail is sent or the secret has expired. Links that older texts hold could be read by administrators, so those
 * mails and links end here; people ask again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table mail add column sealed_secret bytea, add column secret_expires_at timestamptz`,
  // mails whose secret is to be wiped
  `create index mail_with_secret on mail (secret_expires_at) where sealed_secret is not null`,
  `delete from mail where sent_at is null and body like '%/reset-password/%'`,
  `update password_reset set used_at = now() where used_at is null`,
  // the organisation of a first start, whose people are invented
  `alter table account add column is_demo boolean not null default false`,
  `update account a
    set is_demo = true
    where a.name = 'Northside Imaging' and a.issuer = 'NORTHSIDE'
      and exists (
        select
        from account_user au
        join app_user u on u.uuid = au.user_uuid
        where au.account_uuid = a.uuid and u.email = 'administrator@northside.example'
      )`,
]
