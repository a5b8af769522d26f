import { type Kysely, sql } from 'kysely'

/**
 * Mails know the link or the share that they are of, so that none leaves once that has ended. The indexes find the mails
 * of a link (mail.sql, wipeMailsOfLinks), and those of a share that wait (wipeMailsOfShares).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table mail add column link_uuid uuid, add column share_uuid uuid',
  `update mail m set link_uuid = l.uuid from link l where l.mail_uuid = m.uuid`,
  'create index mail_of_link on mail (link_uuid) where link_uuid is not null',
  'create index mail_of_share on mail (share_uuid) where share_uuid is not null and sent_at is null',
]
