import { type Kysely, sql } from 'kysely'

/** Matches that wait for a second person, the order that a study was matched with, and where orders come from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table nomination
    -- the order that the study leaves under
    add column order_uuid uuid,
    -- the first of two people, and what that person matched: version and print of the study, destination, print of the order
    add column asked_by uuid references app_user (uuid),
    add column asked_at timestamptz,
    add column asked_version integer,
    add column asked_print bytea,
    add column asked_destination uuid references destination (uuid)`,
  // 'hl7', 'person' or 'program'; empty for orders of before
  `alter table imaging_order add column source text not null default ''`,
]
