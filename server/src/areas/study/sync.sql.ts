import { sql } from 'kysely'
import { isOwnStoredOf } from '../../access/record-sources.sql.ts'
import type { Tx } from '../../db/database.ts'

interface RecordKey {
  phi_namespace: string
  uuid: string
}

/** When the study was last synced, and whether images came since. Locks the record. */
export async function findLastSync(
  tx: Tx,
  key: RecordKey,
): Promise<{ seconds_ago: number; has_changed: boolean } | undefined> {
  const { rows } = await sql<{ seconds_ago: number | null; has_changed: boolean }>`
    select extract(epoch from now() - s.synced_at)::integer as seconds_ago,
      s.arrival = 'receiving' or t.content_version is distinct from s.synced_version as has_changed
    from study s
    left join stored_study t on ${isOwnStoredOf('s')}
    where s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid}
    for update of s
  `.execute(tx)
  const row = rows[0]
  return row && row.seconds_ago !== null ? { seconds_ago: row.seconds_ago, has_changed: row.has_changed } : undefined
}

/** Raises the number of images that the study should have; it never falls. */
export async function noteExpected(tx: Tx, key: RecordKey, count: number): Promise<void> {
  await sql`
    update study
    set expected_count = greatest(expected_count, ${count}::integer)
    where phi_namespace = ${key.phi_namespace} and uuid = ${key.uuid}
  `.execute(tx)
}
