import type { Tx } from '../../db/database.ts'
import { type BlobRow, type StoredBlob, insertBlobs } from '../storage/ingest.sql.ts'

/**
 * Enters blobs, or finds those that are there already. One that the purge has doomed is about to lose its object, so
 * the bytes go in anew under the next generation.
 * @param rows each blob once
 */
export async function storeReadyBlobs(tx: Tx, rows: readonly BlobRow[]): Promise<StoredBlob[]> {
  const ready: StoredBlob[] = []
  let left = rows
  while (left.length > 0) {
    const tried = await insertBlobs(tx, left)
    ready.push(...tried.filter((blob) => blob.state === 'ready'))
    const doomed = new Set(tried.filter((blob) => blob.state === 'doomed').map(blobId))
    left = left.filter((row) => doomed.has(blobId(row))).map((row) => ({ ...row, generation: row.generation + 1 }))
  }
  return ready
}

export function blobId(blob: { account_uuid: string; sha256: string }): string {
  return `${blob.account_uuid}/${blob.sha256}`
}
