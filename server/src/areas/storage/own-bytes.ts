import { createHash } from 'node:crypto'
import type { ObjectPlace, ObjectReader, ObjectStore } from '../../outbound/storage/object-store.ts'
import { StoreError } from '../../outbound/storage/store-error.ts'

/** Where an image lies, and by what its bytes are known. */
export type OwnedPlace = ObjectPlace & {
  readonly sop_uid: string
  /** Hex, of the stored bytes. */
  readonly sha256: string
}

/** Group 0002 and the first elements of a data set are far shorter. */
const START_BYTES = 4096
/** A reader that begins behind the preamble begins at the image's beginning. */
const MAX_START = 132
/** Images whose beginning does not name them, and whose hash is right. */
const confirmed = new Set<string>()
const MAX_CONFIRMED = 10_000

/**
 * The store as the reader of one image uses it: bytes from the beginning of the image pass only when they are that
 * image's. Every door of an image reads its beginning first, so that a store that gives another's bytes (a wrong backup, a
 * wrong bucket) shows nobody another patient. The check is made in passing, by the SOP Instance UID; where that is
 * not found, by the hash of the whole.
 * @throws StoreError foreign
 */
export function storeOf(store: ObjectStore, image: OwnedPlace): ObjectStore {
  const { byte_offset } = image
  const isStart = (offset: number) => offset >= byte_offset && offset - byte_offset <= MAX_START
  return {
    ...store,
    read: async (key, offset, length) => {
      const bytes = await store.read(key, offset, length)
      if (isStart(offset)) await assertOwn(store, image, bytes)
      return bytes
    },
    stream: async function* (key, offset, length) {
      let isFirst = isStart(offset)
      for await (const chunk of store.stream(key, offset, length)) {
        if (isFirst) await assertOwn(store, image, chunk)
        isFirst = false
        yield chunk
      }
    },
    open: async (place) => ownSource(store, image, await store.open(place)),
    useFile: async (place, use) => {
      await assertOwn(store, image)
      return store.useFile(place, use)
    },
  }
}

function ownSource(store: ObjectStore, image: OwnedPlace, source: ObjectReader): ObjectReader {
  return {
    ...source,
    read: async (offset, length) => {
      const bytes = await source.read(offset, length)
      if (offset <= MAX_START) await assertOwn(store, image, bytes)
      return bytes
    },
  }
}

/**
 * Makes sure that the store has an image and gives its bytes.
 * @param bytes its beginning, where that was read already
 * @throws StoreError
 */
export async function assertOwn(store: ObjectStore, image: OwnedPlace, bytes?: Uint8Array): Promise<void> {
  const { object_key, byte_offset, length, sop_uid, sha256 } = image
  if (bytes && names(bytes, sop_uid)) return
  const isWhole = bytes && bytes.length >= Math.min(START_BYTES, length)
  if (!isWhole && names(await store.read(object_key, byte_offset, START_BYTES), sop_uid)) return
  if (confirmed.has(object_key)) return
  const hash = createHash('sha256')
  for await (const chunk of store.stream(object_key, byte_offset, length)) hash.update(chunk)
  if (hash.digest('hex') !== sha256) throw new StoreError('foreign')
  if (confirmed.size >= MAX_CONFIRMED) confirmed.clear()
  confirmed.add(object_key)
}

/** Media Storage SOP Instance UID, and SOP Instance UID as explicit and as implicit VR write it, with their length fields. */
const names0002 = Buffer.from('020003005549', 'hex')
const names0008 = Buffer.from('080018005549', 'hex')
const names0008Implicit = Buffer.from('08001800', 'hex')

function names(chunk: Uint8Array, sopUid: string): boolean {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.byteLength, START_BYTES))
  return [names0002, names0008, names0008Implicit].some((tag) => {
    const at = bytes.indexOf(tag)
    const lengthAt = at + tag.length
    if (at < 0 || lengthAt + 4 > bytes.length) return false
    const [length, start] =
      tag === names0008Implicit
        ? [bytes.readUInt32LE(lengthAt), lengthAt + 4]
        : [bytes.readUInt16LE(lengthAt), lengthAt + 2]
    if (length > 64) return false
    return bytes.toString('latin1', start, start + length).replace(/[\0 ]+$/, '') === sopUid
  })
}
