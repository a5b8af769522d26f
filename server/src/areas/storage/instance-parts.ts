import { crc32 } from 'node:zlib'
import { writeMeta } from '@hilum/dicom/write-part10'
import { joinCrc32 } from '../../outbound/storage/crc32.ts'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import type { StoredInstance } from './instance.sql.ts'
import { lengthOfParts, type Part } from './parts.ts'

const PREAMBLE_BYTES = 128
const blankPreamble = new Uint8Array(PREAMBLE_BYTES)

type Stored = Pick<StoredInstance, 'object_key' | 'byte_offset' | 'length' | 'crc32' | 'preamble_blank' | 'bare_start'>

/** Preamble and group 0002 for an instance that came without them (PS3.10 §7.1). */
export function beginningOf(
  instance: Pick<StoredInstance, 'bare_start' | 'sop_class' | 'sop_uid' | 'transfer_syntax'>,
): Uint8Array | undefined {
  const { bare_start, sop_class, sop_uid, transfer_syntax } = instance
  return bare_start === null ? undefined : writeMeta(sop_class, sop_uid, transfer_syntax)
}

/**
 * An instance as it leaves: the stored bytes, with a preamble that could run as a program blanked (PS3.10 §7.5), and
 * behind `beginning` where they came without their own.
 */
export function asFile(
  store: ObjectStore,
  { object_key, byte_offset, length, crc32: storedCrc32, preamble_blank, bare_start }: Stored,
  beginning: Uint8Array | undefined,
): { parts: Part[]; length: number; crc32: number } {
  const start = beginning ? (bare_start ?? 0) : preamble_blank ? 0 : PREAMBLE_BYTES
  const rest: Part = {
    kind: 'stream',
    length: length - start,
    open: (from, count) => store.stream(object_key, byte_offset + start + from, count),
  }
  if (beginning) {
    const parts: Part[] = [{ kind: 'bytes', bytes: beginning }, rest]
    const crc = joinCrc32(crc32(beginning), storedCrc32, rest.length)
    return { parts, length: lengthOfParts(parts), crc32: crc }
  }
  return {
    parts: preamble_blank ? [rest] : [{ kind: 'bytes', bytes: blankPreamble }, rest],
    length,
    crc32: storedCrc32,
  }
}
