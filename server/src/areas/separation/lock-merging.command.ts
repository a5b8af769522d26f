import type { Tx } from '../../db/database.ts'
import { type LockedStoredStudy, lockStoredStudy, type StoredKey } from '../storage/ingest.sql.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import type { SeparationRow } from './separation.sql.ts'

type Merging = Pick<
  SeparationRow,
  'phi_namespace' | 'study_uid' | 'study_generation' | 'to_study_uid' | 'to_generation'
>

/** The stored studies that the images of a merge leave, and that they go to. */
export function keysOfMerge(one: Merging): { from: StoredKey; to: StoredKey } {
  const { phi_namespace: storage_namespace } = one
  return {
    from: { storage_namespace, study_uid: one.study_uid, generation: one.study_generation },
    to: { storage_namespace, study_uid: one.to_study_uid, generation: one.to_generation },
  }
}

/** Both studies of a merge with their sharing, locked in the order of their UIDs. */
export async function lockMerging(
  tx: Tx,
  one: Merging,
): Promise<{ from: LockedStoredStudy | undefined; to: LockedStoredStudy | undefined }> {
  const keys = keysOfMerge(one)
  const inOrder = [keys.from, keys.to].toSorted((a, b) => (a.study_uid < b.study_uid ? -1 : 1))
  for (const { study_uid } of inOrder) await lockSharing(tx, study_uid)
  const locked: (LockedStoredStudy | undefined)[] = []
  for (const key of inOrder) locked.push(await lockStoredStudy(tx, key))
  const find = (uid: string) => locked.find((stored) => stored?.study_uid === uid)
  return { from: find(one.study_uid), to: find(one.to_study_uid) }
}
