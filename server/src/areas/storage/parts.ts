/** A body put together from bytes in memory and bytes that are fetched when their turn comes. */
export type Part =
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'stream'; length: number; open: (start: number, length: number) => AsyncIterable<Uint8Array> }

export function lengthOfPart(part: Part): number {
  return part.kind === 'bytes' ? part.bytes.length : part.length
}

export function lengthOfParts(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + lengthOfPart(part), 0)
}

/** The bytes from `start` up to `end`; nothing in front of them is read. */
export async function* streamParts(parts: readonly Part[], start: number, end: number): AsyncGenerator<Uint8Array> {
  let position = 0
  for (const part of parts) {
    const length = lengthOfPart(part)
    const from = Math.max(0, start - position)
    const until = Math.min(length, end - position)
    if (until <= 0) return
    if (from < until) {
      if (part.kind === 'bytes') yield part.bytes.subarray(from, until)
      else yield* part.open(from, until - from)
    }
    position += length
  }
}
