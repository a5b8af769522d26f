import { restoreDays } from '@hilum/contract/limits'
import { sql } from 'kysely'
import { ownGenerationOf } from '../../access/source-rows.sql.ts'
import type { Tx } from '../../db/database.ts'
import type { LockedStoredStudy, StoredKey, IngestedStudyKey } from '../storage/ingest.sql.ts'

/** Ends a generation: images that arrive afterwards begin the next. */
export async function endGeneration(tx: Tx, stored: StoredKey): Promise<void> {
  await sql`
    update stored_study
    set ended_at = now()
    where storage_namespace = ${stored.storage_namespace}
      and study_uid = ${stored.study_uid}
      and generation = ${stored.generation}
  `.execute(tx)
}

/** Makes one generation the one that takes what arrives. */
export async function reopenGeneration(tx: Tx, stored: StoredKey): Promise<void> {
  await sql`
    update stored_study
    set ended_at = now()
    where storage_namespace = ${stored.storage_namespace}
      and study_uid = ${stored.study_uid}
      and generation <> ${stored.generation}
      and ended_at is null
  `.execute(tx)
  await sql`
    update stored_study
    set ended_at = null
    where storage_namespace = ${stored.storage_namespace}
      and study_uid = ${stored.study_uid}
      and generation = ${stored.generation}
  `.execute(tx)
}

/** Locks every generation of a study that a namespace stores, the first one first. */
export async function lockGenerations(tx: Tx, study: IngestedStudyKey): Promise<LockedStoredStudy[]> {
  const { rows } = await sql<LockedStoredStudy>`
    select t.key, t.storage_namespace, t.study_uid, t.generation, t.identities, t.is_separated
    from stored_study t
    where t.storage_namespace = ${study.storage_namespace}
      and t.study_uid = ${study.study_uid}
    order by t.generation
    for update of t
  `.execute(tx)
  return rows
}

export type RestorableRecord = { phi_namespace: string; uuid: string; own_generation: number | null }

/**
 * Locks the records of a study in one namespace: the one that is not deleted, and the one to restore unless it was
 * deleted too long ago. `own_generation` is that of the namespace's own images.
 */
export async function lockRecordsToRestore(
  tx: Tx,
  phiNamespace: string,
  studyUid: string,
  uuid: string,
): Promise<{ live: RestorableRecord | undefined; deleted: RestorableRecord | undefined }> {
  const { rows } = await sql<RestorableRecord & { is_live: boolean }>`
    select s.phi_namespace, s.uuid, s.deleted_at is null as is_live,
      ${ownGenerationOf('s')} as own_generation
    from study s
    where s.phi_namespace = ${phiNamespace}
      and s.study_uid = ${studyUid}
      and (s.deleted_at is null
        or (s.uuid = ${uuid} and (s.deleted_at > now() - make_interval(days => ${restoreDays}) or s.retraction_uuid is not null)))
    order by s.uuid
    for update of s
  `.execute(tx)
  return { live: rows.find((row) => row.is_live), deleted: rows.find((row) => !row.is_live && row.uuid === uuid) }
}
