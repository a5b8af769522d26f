import { type Kysely, sql } from 'kysely'

/** Personal places are called as their people are now; until this step they kept the name of the moment they were made in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update namespace n
    set name = coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email)
    from app_user u
    where n.uuid = u.namespace_uuid
      and n.name <> coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email)
  `.execute(db)
  // the shape of the table is changed by later steps of the same upgrade
  await sql`set constraints all immediate`.execute(db)
}
