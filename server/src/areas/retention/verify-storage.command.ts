import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { StoreError } from '../../outbound/storage/store-error.ts'
import type { Services } from '../../services.ts'
import { listReferencedKeys } from '../storage/instance.sql.ts'
import {
  type CheckedBlob,
  type Holder,
  type IndexFault,
  isStillReady,
  listBlobsAfter,
  listHolders,
  listIndexFaults,
} from './verify.sql.ts'

/** One thing that is not as it should be, and whose it is. Of records the holders name the patient: for a terminal, not for the log. */
export type StorageFault = { kind: string; what: string; holders?: readonly string[] }
type Verified = { objects: number; bytes: number; faults: number }

const BATCH = 500
const MAX_INDEX_FAULTS = 1000
/** One object may lie in many studies. */
const MAX_HOLDERS = 20
const DAY_MS = 86_400_000

/**
 * Holds what is stored against what was recorded of it: each object's presence, length, SHA-256 and CRC-32, images
 * against blobs, counts against images, and files that nothing refers to. Changes nothing.
 * @param isQuick without reading the objects' bytes
 */
export async function verifyStorage(
  services: Pick<Services, 'db' | 'store'>,
  options: { isQuick: boolean; now: Date; tell: (fault: StorageFault) => void },
): Promise<Verified> {
  const { db, store } = services
  const result: Verified = { objects: 0, bytes: 0, faults: 0 }
  const tell = (fault: StorageFault) => {
    result.faults += 1
    options.tell(fault)
  }
  for (let after: CheckedBlob | undefined; ; ) {
    const blobs = await listBlobsAfter(db, after, BATCH)
    for (const blob of blobs) {
      const kind = await findFault(services, blob, options.isQuick)
      if (kind) {
        const holders = await listHolders(db, blob, MAX_HOLDERS)
        tell({ kind, what: blob.object_key, holders: holders.map(describeHolder) })
      }
      result.objects += 1
      result.bytes += blob.length
    }
    after = blobs.at(-1)
    if (!after || blobs.length < BATCH) break
  }
  for (const fault of await listIndexFaults(db, MAX_INDEX_FAULTS)) tell(inWords(fault))
  // The sweep asks which files are referred to; told that all are, it deletes none.
  await store.sweep(new Date(options.now.getTime() - DAY_MS), async (keys) => {
    const referenced = await listReferencedKeys(db, keys)
    for (const key of keys) if (!referenced.has(key)) tell({ kind: 'file that nothing refers to', what: key })
    return new Set(keys)
  })
  return result
}

/** A fault of the tables, told like one of the objects. */
export function inWords({ kind, what, holder }: IndexFault): StorageFault {
  return { kind, what, holders: holder ? [describeHolder(holder)] : [] }
}

function describeHolder({ part, study_uid, place, records }: Holder): string {
  const shown =
    records.length === 0 ? 'which no record shows' : `record${records.length > 1 ? 's' : ''} ${records.join(', ')}`
  return `${part ? `${part} of ` : ''}study ${study_uid} in ${place}, ${shown}`
}

async function findFault(
  { db, store }: Pick<Services, 'db' | 'store'>,
  blob: CheckedBlob,
  isQuick: boolean,
): Promise<string | undefined> {
  try {
    if ((await store.size(blob.object_key)) < blob.byte_offset + blob.length) return 'object cut short'
    if (isQuick) return undefined
    const hash = createHash('sha256')
    let crc = 0
    for await (const chunk of store.stream(blob.object_key, blob.byte_offset, blob.length)) {
      hash.update(chunk)
      crc = crc32(chunk, crc)
    }
    if (hash.digest('hex') !== blob.sha256) return 'object with other bytes'
    return crc === blob.crc32 ? undefined : 'object with another CRC than recorded'
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    // the purge may have come since the list was made
    if (error.fault === 'missing') return (await isStillReady(db, blob)) ? 'object missing' : undefined
    if (error.fault === 'short') return 'object cut short'
    const code = (error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.fault
    return `object not readable (${code})`
  }
}
