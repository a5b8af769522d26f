import { type Kysely, sql } from 'kysely'

/**
 * Mails that cannot be delivered stand with the link that they were sent for, and links know whether their holder was
 * reminded. The index finds the link of a mail (link.sql, findLinkOfMail).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail add column returned_at timestamptz`.execute(db)
  await sql`alter table link add column reminded_at timestamptz`.execute(db)
  await sql`create index link_of_mail on link (mail_uuid) where mail_uuid is not null`.execute(db)
  // open links whose end comes near (reminder.sql)
  await sql`create index link_to_remind_of on link (expires_at) where ended_at is null and reminded_at is null`.execute(
    db,
  )
}
