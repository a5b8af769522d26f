import { type Kysely, sql } from 'kysely'

/** Orders are found by their numbers however those are spelled, as exams are (0255). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create index order_by_bare_mrn on imaging_order using gin (bare_number(patientid) gin_trgm_ops)`,
  `create index order_by_bare_accession on imaging_order (account_uuid, bare_number(accession_number))
    where accession_number <> ''`,
  `create index order_by_bare_number on imaging_order (account_uuid, bare_number(order_number))
    where order_number <> ''`,
]
