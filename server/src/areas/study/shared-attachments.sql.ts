import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { countAttachments } from '../attachments/attachment.sql.ts'

interface RecordKey {
  phi_namespace: string
  uuid: string
}

/**
 * Attaches to a record what is attached to another, by a share; the bytes are the same, and go with the last row.
 * @returns how many files the record lacked
 */
export async function addSharedAttachments(tx: Tx, from: RecordKey, to: RecordKey, shareUuid: string): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into attachment (phi_namespace, study_uuid, id, version, filename, account_uuid, sha256, generation, length,
      stored, stored_by, share_uuid)
    select ${to.phi_namespace}, ${to.uuid}, a.id, a.version, a.filename, a.account_uuid, a.sha256, a.generation, a.length,
      a.stored, a.stored_by, ${shareUuid}
    from attachment a
    where a.phi_namespace = ${from.phi_namespace} and a.study_uuid = ${from.uuid} and a.deleted_at is null
    on conflict (phi_namespace, study_uuid, id, version) do update
    set deleted_at = null, share_uuid = excluded.share_uuid
    where attachment.deleted_at is not null
  `.execute(tx)
  await countAttachments(tx, to.phi_namespace, to.uuid, new Date())
  return Number(numAffectedRows ?? 0)
}

/** Whether anything is attached to a record that another one does not have. */
export async function lacksAttachments(tx: Tx, from: RecordKey, to: RecordKey): Promise<boolean> {
  const { rows } = await sql`
    select
    from attachment a
    where a.phi_namespace = ${from.phi_namespace} and a.study_uuid = ${from.uuid} and a.deleted_at is null
      and not exists (
        select
        from attachment t
        where t.phi_namespace = ${to.phi_namespace} and t.study_uuid = ${to.uuid} and t.id = a.id
          and t.version = a.version and t.deleted_at is null
      )
    limit 1
  `.execute(tx)
  return rows.length > 0
}

/** Takes off a record what shares had attached. */
export async function endSharedAttachments(tx: Tx, record: RecordKey, shareUuids: readonly string[]): Promise<void> {
  const { numAffectedRows } = await sql`
    update attachment
    set deleted_at = now()
    where phi_namespace = ${record.phi_namespace} and study_uuid = ${record.uuid} and deleted_at is null
      and share_uuid = any(${shareUuids as string[]}::uuid[])
  `.execute(tx)
  if (numAffectedRows) await countAttachments(tx, record.phi_namespace, record.uuid, new Date())
}
