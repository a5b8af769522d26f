import { type Kysely, sql } from 'kysely'

/**
 * Names are found without their apostrophes, hyphens, full stops and blanks too: `spelled_name` has a name as folded and,
 * where any of these stand in it, a second time without them, as a further component group. The index of names takes
 * that, of studies and of orders; one of study UIDs serves pieces of a UID.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create function bare_name(name text) returns text language sql immutable strict parallel safe
    return translate(name, U&'''-. \\2010\\2011\\00b7\\05f3\\05be', '')`,
  `create function spelled_name(name text) returns text language sql immutable strict parallel safe
    return case when bare_name(name) = name then name else name || '=' || bare_name(name) end`,
  `drop index study_search`,
  `create index study_search on study using gin (spelled_name(search) gin_trgm_ops)`,
  // As many names are kept of the expression as were of the column (0013), for the same guess.
  `alter index study_search alter column 1 set statistics 500`,
  // Of an expression, since PostgreSQL would take an index of pieces of the bare column to look up whole UIDs, too.
  `create index study_uid_pieces on study using gin (lower(study_uid) gin_trgm_ops)`,
  `drop index order_search`,
  `create index order_search on imaging_order using gin (spelled_name(search) gin_trgm_ops)`,
]
