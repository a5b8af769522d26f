import { type Kysely, sql } from 'kysely'

/**
 * MRNs and accession numbers are found however they are spelled: `bare_number` has their letters and figures alone, in
 * lower case and one width. Names are found without their underscores, too, so the indexes of names are written anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create function bare_number(number text) returns text language sql immutable strict parallel safe
    return regexp_replace(lower(normalize(number, nfkc)), '[^[:alnum:]]', '', 'g')`,
  `create index study_by_bare_mrn on study using gin (bare_number(patientid) gin_trgm_ops)`,
  `create index study_by_bare_accession on study (bare_number(accession_number), phi_namespace)
    where accession_number <> ''`,
  `create or replace function bare_name(name text) returns text language sql immutable strict parallel safe
    return translate(name, U&'''-._ \\2010\\2011\\00b7\\05f3\\05be', '')`,
  'reindex index study_search',
  'reindex index order_search',
]
