import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The namespace that a search at a destination fetches studies for. */
export async function findPlaceOfSearch(db: Db, searchUuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ phi_namespace: string }>`
    select s.phi_namespace
    from destination_search s
    where s.uuid = ${searchUuid}
  `.execute(db)
  return rows[0]?.phi_namespace
}
