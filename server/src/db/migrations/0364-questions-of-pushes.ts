import { type Kysely, sql } from 'kysely'

/** A reason answers the questions that a push was held with, about the people of that moment; of earlier reasons nobody knows which. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table push
      add column asked text[] not null default '{}',
      add column answered text[] not null default '{}',
      drop column mrn_people
  `.execute(db)
}
