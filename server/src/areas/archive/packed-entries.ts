import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import { asFile, beginningOf } from '../storage/instance-parts.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import type { EntrySize, ZipEntry } from './zip-layout.ts'

type PackedEntries = {
  length: number
  at: (index: number) => ZipEntry
  sizeAt: (index: number) => EntrySize
}

/** Numbers of each entry: folder, offset, length, CRC, whether the preamble is blank, arrival, where a bare data set begins. */
const NUMBERS = 7
/** Between the name of an entry and that of its object. */
const LINE_FEED = 0x0a

type Columns = {
  numbers: Float64Array
  folders: readonly string[]
  texts: Buffer
  ends: Uint32Array
  /** Of the few that came without one, by their place. */
  beginnings: ReadonlyMap<number, Uint8Array>
}

/**
 * Stored instances as entries of an archive, kept as columns and made into entries when their turn comes: about 100
 * bytes each, where objects would take 2 KB, for as long as somebody takes to read the archive.
 */
export function packEntries(
  store: ObjectStore,
  instances: readonly StoredInstance[],
  names: readonly string[],
): PackedEntries {
  // in two steps, because what is given back keeps alive all that its function has seen
  return unpacking(store, packColumns(instances, names))
}

function packColumns(instances: readonly StoredInstance[], names: readonly string[]): Columns {
  const folders = [...new Set(instances.map((instance) => folderOf(instance.object_key)))]
  const numbers = new Float64Array(NUMBERS * instances.length)
  const ends = new Uint32Array(instances.length)
  const texts = instances.map(({ object_key }, index) => `${names[index]}\n${nameOf(object_key)}`)
  const beginnings = new Map<number, Uint8Array>()
  let end = 0
  for (const [index, instance] of instances.entries()) {
    const { object_key, byte_offset, length, crc32, preamble_blank, arrived, bare_start } = instance
    const folder = folders.indexOf(folderOf(object_key))
    const beginning = beginningOf(instance)
    if (beginning) beginnings.set(index, beginning)
    numbers.set(
      [folder, byte_offset, length, crc32, Number(preamble_blank), arrived.getTime(), bare_start ?? 0],
      NUMBERS * index,
    )
    end += Buffer.byteLength(texts[index] ?? '')
    ends[index] = end
  }
  return { numbers, folders, texts: Buffer.from(texts.join('')), ends, beginnings }
}

function unpacking(store: ObjectStore, { numbers, folders, texts, ends, beginnings }: Columns): PackedEntries {
  return {
    length: ends.length,
    at: (index) => {
      const [folder = 0, byte_offset = 0, length = 0, crc32 = 0, isBlank, arrived = 0, bareStart = 0] =
        numbers.subarray(NUMBERS * index, NUMBERS * (index + 1))
      const text = texts.toString('utf8', index === 0 ? 0 : ends[index - 1], ends[index])
      const [name = '', object = ''] = text.split('\n')
      const object_key = `${folders[folder]}${object}`
      const stored = { object_key, byte_offset, length, crc32, preamble_blank: isBlank === 1, bare_start: bareStart }
      return { name, modified: new Date(arrived), ...asFile(store, stored, beginnings.get(index)) }
    },
    sizeAt: (index) => {
      const [, , length = 0, , , , bareStart = 0] = numbers.subarray(NUMBERS * index, NUMBERS * (index + 1))
      const start = index === 0 ? 0 : (ends[index - 1] ?? 0)
      const beginning = beginnings.get(index)
      return {
        nameBytes: texts.indexOf(LINE_FEED, start) - start,
        length: beginning ? beginning.length + length - bareStart : length,
      }
    },
  }
}

function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/') + 1)
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}
