import { StorageError } from '@hilum/contract/storage-errors'
import type { Services } from '../../services.ts'
import type { StagedFile } from '../../outbound/storage/upload-store.ts'
import { explainStoreFailure } from '../storage/store-failure.ts'

/** The largest chunk taken; senders of the wire use 2 MB. */
const MAX_PART_BYTES = 256 * 1024 * 1024
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

type Place = Pick<Services, 'uploads'>
type Writable = Pick<Services, 'uploads' | 'log'>
type Upload = { uuid: string; userUuid: string }

/**
 * Stores one chunk; sent again, it replaces the first.
 * @param part `name` is its number in five digits, from 00000
 * @throws StorageError NOT_FOUND (no such upload of this user), VALIDATION_ERROR (wrong name, length or CRC-32)
 */
export async function storeUploadPart(
  services: Writable,
  upload: Upload,
  part: { name: string; crc32: number; body: AsyncIterable<Uint8Array> },
): Promise<void> {
  await assertOwn(services, upload)
  if (!/^\d{5}$/.test(part.name)) {
    throw new StorageError('VALIDATION_ERROR', 'The name of a chunk is its number in five digits')
  }
  try {
    await services.uploads.writePart(upload.uuid, part.name, withinLimit(part.body, MAX_PART_BYTES), (written) => {
      if (written.crc32 === part.crc32) return
      throw new StorageError('VALIDATION_ERROR', 'The chunk arrived with another checksum than announced')
    })
  } catch (error) {
    explainStoreFailure(services.log, error)
  }
}

export type WholeUpload = { length: number; body: () => AsyncGenerator<Uint8Array>; discard: () => Promise<void> }

/**
 * The chunks of an upload as one body.
 * @throws StorageError NOT_FOUND, VALIDATION_ERROR when chunks are missing or their sum is not `expectedLength`
 */
export async function openWhole(
  services: Place,
  upload: Upload,
  expectedLength: number | undefined,
): Promise<WholeUpload> {
  await assertOwn(services, upload)
  const { uploads } = services
  const parts = await uploads.listParts(upload.uuid)
  const missing = parts.findIndex(({ name }, index) => Number(name) !== index)
  if (parts.length === 0 || missing >= 0) {
    throw new StorageError('VALIDATION_ERROR', `Chunk ${Math.max(0, missing)} is missing`)
  }
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (expectedLength !== undefined && expectedLength !== length) {
    throw new StorageError('VALIDATION_ERROR', 'The chunks together are not as long as the file')
  }
  return {
    length,
    body: async function* () {
      for (const { name } of parts) yield* uploads.readPart(upload.uuid, name)
    },
    discard: () => uploads.remove(upload.uuid),
  }
}

/** Writes a body to a file of its own. @throws StorageError PAYLOAD_TOO_LARGE; nothing stays then */
export async function stageFile(
  services: Writable,
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<StagedFile> {
  try {
    return await services.uploads.stage(withinLimit(body, maxBytes))
  } catch (error) {
    return explainStoreFailure(services.log, error)
  }
}

async function* withinLimit(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxBytes) throw new StorageError('PAYLOAD_TOO_LARGE')
    yield chunk
  }
}

async function assertOwn({ uploads }: Place, { uuid, userUuid }: Upload): Promise<void> {
  if (uuidForm.test(uuid) && (await uploads.findOwner(uuid)) === userUuid) return
  throw new StorageError('NOT_FOUND', 'There is no such upload; begin it again')
}
