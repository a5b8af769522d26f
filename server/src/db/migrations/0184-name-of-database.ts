import { type Kysely, sql } from 'kysely'

/** The name of the database, which its data folder holds too: the objects of one are nobody's in the eyes of another. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table database_name (
    uuid uuid not null default gen_random_uuid(),
    is_only boolean primary key default true check (is_only)
  )`,
  `insert into database_name default values`,
]
