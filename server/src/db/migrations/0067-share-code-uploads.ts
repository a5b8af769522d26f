import { type Kysely, sql } from 'kysely'

/**
 * Uploads by somebody who knows the share code of a group: requests that nobody wrote, made when the page of the code is
 * opened.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table link_request
    add column by_share_code boolean not null default false,
    -- new records of studies that come by it wait until somebody approves them
    add column must_approve boolean not null default false`,
]
