import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { StorageError } from '@hilum/contract/storage-errors'
import type { Services } from '../../services.ts'
import { explainStoreFailure } from '../storage/store-failure.ts'

/** The largest chunk taken; senders of the wire use 2 MB. */
const MAX_PART_BYTES = 256 * 1024 * 1024
const READ_BYTES = 128 * 1024
const OWNER_FILE = 'owner'
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

type Place = Pick<Services, 'config'>
type Writable = Pick<Services, 'config' | 'disk' | 'log'>

/** Where files in the making lie: chunks of uploads, and files on their way into a wrapper. */
function uploadsFolder({ config }: Place): string {
  return join(config.dataFolder, 'uploads')
}

/** Begins an upload in chunks, for this user alone. */
export async function beginUpload(services: Place, userUuid: string): Promise<string> {
  const uuid = randomUUID()
  const folder = join(uploadsFolder(services), uuid)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, OWNER_FILE), userUuid, { mode: 0o600 })
  return uuid
}

/**
 * Keeps one chunk; sent again, it replaces the first.
 * @param name its number in five digits, from 00000
 * @throws StorageError NOT_FOUND (no such upload of this user), VALIDATION_ERROR (wrong name, length or CRC-32)
 */
export async function storeUploadPart(
  services: Writable,
  upload: { uuid: string; userUuid: string },
  part: { name: string; crc32: number; body: AsyncIterable<Uint8Array> },
): Promise<void> {
  const folder = await openUpload(services, upload)
  if (!/^\d{5}$/.test(part.name)) {
    throw new StorageError('VALIDATION_ERROR', 'The name of a chunk is its number in five digits')
  }
  const path = join(folder, part.name)
  const draft = `${path}.${randomUUID()}`
  try {
    const written = await writeDurably(services, draft, part.body, MAX_PART_BYTES)
    if (written.crc32 !== part.crc32) {
      throw new StorageError('VALIDATION_ERROR', 'The chunk arrived with another checksum than announced')
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
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
  upload: { uuid: string; userUuid: string },
  expectedLength: number | undefined,
): Promise<WholeUpload> {
  const folder = await openUpload(services, upload)
  const names = (await readdir(folder)).filter((name) => /^\d{5}$/.test(name)).sort()
  const missing = names.findIndex((name, index) => Number(name) !== index)
  if (names.length === 0 || missing >= 0) {
    throw new StorageError('VALIDATION_ERROR', `Chunk ${Math.max(0, missing)} is missing`)
  }
  const paths = names.map((name) => join(folder, name))
  let length = 0
  for (const path of paths) length += (await stat(path)).size
  if (expectedLength !== undefined && expectedLength !== length) {
    throw new StorageError('VALIDATION_ERROR', 'The chunks together are not as long as the file')
  }
  return {
    length,
    body: async function* () {
      for (const path of paths) yield* readChunks(path)
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Removes uploads begun before a moment and never completed, and gives how many. */
export async function sweepUploads(services: Place, before: Date): Promise<number> {
  const folder = uploadsFolder(services)
  let swept = 0
  for (const name of await namesIn(folder)) {
    const path = join(folder, name)
    if ((await stat(path)).mtime >= before) continue
    await rm(path, { recursive: true, force: true })
    swept += 1
  }
  return swept
}

/** A file that lies on this machine until its work is done. */
export type StagedFile = { path: string; length: number; discard: () => Promise<void> }

/** Writes a body to a file of its own. @throws StorageError PAYLOAD_TOO_LARGE; nothing stays then */
export async function stageFile(
  services: Writable,
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<StagedFile> {
  const path = join(uploadsFolder(services), `staged-${randomUUID()}`)
  await mkdir(uploadsFolder(services), { recursive: true, mode: 0o700 })
  const discard = () => rm(path, { force: true })
  try {
    const { length } = await writeDurably(services, path, body, maxBytes)
    return { path, length, discard }
  } catch (error) {
    await discard()
    return explainStoreFailure(services.log, error)
  }
}

/** A file from its beginning or from an offset, one chunk in memory at a time. */
export async function* readChunks(path: string, start = 0): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r')
  try {
    for (let at = start; ; ) {
      const buffer = Buffer.allocUnsafe(READ_BYTES)
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

async function writeDurably({ disk }: Writable, path: string, body: AsyncIterable<Uint8Array>, maxBytes: number) {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  let length = 0
  let crc = 0
  try {
    for await (const chunk of body) {
      length += chunk.length
      if (length > maxBytes) throw new StorageError('PAYLOAD_TOO_LARGE')
      crc = crc32(chunk, crc)
      await disk.assertRoom()
      await file.writeFile(chunk)
    }
    await file.datasync()
  } finally {
    await file.close()
  }
  return { length, crc32: crc }
}

async function openUpload(services: Place, { uuid, userUuid }: { uuid: string; userUuid: string }): Promise<string> {
  const folder = join(uploadsFolder(services), uuid)
  if (!uuidForm.test(uuid) || (await ownerOf(folder)) !== userUuid) {
    throw new StorageError('NOT_FOUND', 'There is no such upload; begin it again')
  }
  return folder
}

async function ownerOf(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, OWNER_FILE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
