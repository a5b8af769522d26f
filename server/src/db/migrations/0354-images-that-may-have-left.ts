import { type Kysely, sql } from 'kysely'

/**
 * Facts on what of a push may have left: whether an image was begun to be sent, and how many of the images that its
 * destination has were sent by pushes before. Nobody knows the first of pushes that are under way, so that images of them may have left.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table push
      add column may_have_left boolean not null default false,
      add column sent_before integer not null default 0
  `.execute(db)
  await sql`update push set may_have_left = true where status in ('N', 'I', 'P')`.execute(db)
}
