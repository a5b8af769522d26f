import type { FileStore } from '../../outbound/storage/file-store.ts'
import type { StoredInstance } from './instance.sql.ts'
import type { Part } from './parts.ts'

const PREAMBLE_BYTES = 128
const blankPreamble = new Uint8Array(PREAMBLE_BYTES)

/** An instance as it leaves: the stored bytes, with a preamble that could run as a program blanked (PS3.10 §7.5). */
export function partsOfInstance(
  store: FileStore,
  instance: Pick<StoredInstance, 'object_key' | 'byte_offset' | 'length' | 'preamble_blank'>,
): Part[] {
  const { object_key, byte_offset, length, preamble_blank } = instance
  const skipped = preamble_blank ? 0 : PREAMBLE_BYTES
  const rest: Part = {
    kind: 'stream',
    length: length - skipped,
    open: (start, count) => store.stream(object_key, byte_offset + skipped + start, count),
  }
  return preamble_blank ? [rest] : [{ kind: 'bytes', bytes: blankPreamble }, rest]
}
