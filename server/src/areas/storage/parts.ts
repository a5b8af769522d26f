import { freeBytes } from '../../outbound/storage/free-bytes.ts'

/** A body put together from bytes in memory and bytes that are fetched when their turn comes. */
export type Part = { kind: 'bytes'; bytes: Uint8Array } | { kind: 'stream'; length: number; open: OpenRange }

/** Opens a range; the chunks that come out belong to the reader alone. */
type OpenRange = (start: number, length: number) => AsyncIterable<Uint8Array>

export function lengthOfPart(part: Part): number {
  return part.kind === 'bytes' ? part.bytes.length : part.length
}

/** Parts whose bytes can be counted without laying them out. */
export type CountedParts = Iterable<Part> & { countBytes: () => number }

export function lengthOfParts(parts: Iterable<Part> | CountedParts): number {
  if ('countBytes' in parts) return parts.countBytes()
  let length = 0
  for (const part of parts) length += lengthOfPart(part)
  return length
}

/**
 * The bytes from `start` up to `end`; nothing in front of them is read.
 * @param freesChunks whether the memory of each chunk is given back when the next is asked for
 */
export async function* streamParts(
  parts: Iterable<Part>,
  start: number,
  end: number,
  { freesChunks = false } = {},
): AsyncGenerator<Uint8Array> {
  let position = 0
  for (const part of parts) {
    const length = lengthOfPart(part)
    const from = Math.max(0, start - position)
    const until = Math.min(length, end - position)
    if (until <= 0) return
    if (from < until) {
      if (part.kind === 'bytes') yield part.bytes.subarray(from, until)
      else if (!freesChunks) yield* part.open(from, until - from)
      else {
        for await (const chunk of part.open(from, until - from)) {
          yield chunk
          freeBytes([chunk])
        }
      }
    }
    position += length
  }
}

/** The first bytes of parts, in memory. */
export async function collectParts(parts: Iterable<Part>, bytes: number): Promise<Uint8Array> {
  const held: Uint8Array[] = []
  for await (const chunk of streamParts(parts, 0, bytes)) held.push(chunk)
  return held.length === 1 ? (held[0] as Uint8Array) : Buffer.concat(held)
}
