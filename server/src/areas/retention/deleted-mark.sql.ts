import { restoreDays } from '@hilum/contract/limits'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { isHeld } from '../storage/hold.sql.ts'

interface RecordKey {
  phi_namespace: string
  uuid: string
}

/** Hides a record and ends the lock of whoever has it open, unless it is deleted already or a hold on it or its patient keeps it. */
export async function markDeleted(tx: Tx, key: RecordKey, userUuid: string): Promise<'deleted' | 'gone' | 'held'> {
  const { rows } = await sql<{ hold: boolean }>`
    select ${isHeld} as hold
    from study s
    where s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid} and s.deleted_at is null
    for update
  `.execute(tx)
  const [row] = rows
  if (!row) return 'gone'
  if (row.hold) return 'held'
  await sql`
    update study
    set deleted_at = now(), deleted_by = ${userUuid}, updated = now(), row_version = row_version + 1
    where phi_namespace = ${key.phi_namespace} and uuid = ${key.uuid}
  `.execute(tx)
  // restored within the lease, it would be locked by somebody who was told that it is gone
  await sql`
    delete from study_lock
    where phi_namespace = ${key.phi_namespace} and study_uuid = ${key.uuid}
  `.execute(tx)
  return 'deleted'
}

/** Shows a deleted record again; false when it is not deleted, or was too long ago. */
export async function unmarkDeleted(tx: Tx, key: RecordKey): Promise<boolean> {
  const { rows } = await sql`
    update study
    set deleted_at = null, deleted_by = null, retraction_uuid = null, covered_retractions = '{}', updated = now(), row_version = row_version + 1
    where phi_namespace = ${key.phi_namespace}
      and uuid = ${key.uuid}
      and (deleted_at > now() - make_interval(days => ${restoreDays}) or retraction_uuid is not null)
    returning uuid
  `.execute(tx)
  return rows.length > 0
}
