import { type Kysely, sql } from 'kysely'

/**
 * Whether an e-mail address was only typed by an administrator. Of the people who are there, those who never signed in and
 * those whose address an administrator changed count as such, but whoever chose a password by a mailed link since.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app_user add column address_unproven boolean not null default false`.execute(db)
  await sql`
    update app_user u
    set address_unproven = true
    where
      u.last_login is null and not exists (
        select from audit r where r.object_uuid = u.uuid and r.action = 'PASSWORD_RESET'
      )
      or exists (
        select
        from audit a
        where a.object_uuid = u.uuid and a.type = 'User' and a.action = 'EDIT' and a.detail ? 'email'
          and not exists (
            select from audit r where r.object_uuid = u.uuid and r.action = 'PASSWORD_RESET' and r.id > a.id
          )
      )
  `.execute(db)
  await sql`set constraints all immediate`.execute(db)
}
