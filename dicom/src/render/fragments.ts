import type { WindowedReader } from './byte-source.ts'

export interface Fragment {
  /** Of its bytes, behind the item header. */
  readonly offset: number
  readonly length: number
  /** The first bytes are those of a JPEG, JPEG-LS, JPEG 2000 or JPEG XL image. */
  readonly beginsImage: boolean
}

/** More would be a denial of service rather than an image: 16 hours of video at 30 frames a second hold 1.7 million. */
const maxFragments = 2_000_000

/**
 * The fragment whose item header is at `offset`; undefined where there is none. The header may claim more than the file
 * holds.
 */
export async function readFragment(reader: WindowedReader, offset: number): Promise<Fragment | undefined> {
  const bytes = reader.peek(offset, 20) ?? (await reader.fetch(offset, 20))
  if (bytes.length < 8) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (view.getUint32(0, true) !== 0xe000fffe) return undefined
  const length = view.getUint32(4, true)
  return { offset: offset + 8, length, beginsImage: beginsImage(bytes.subarray(8)) }
}

/** Fragments from the item header at `start` up to `end`, the sequence delimiter or the end of the file. */
export async function listFragments(reader: WindowedReader, start: number, end?: number): Promise<Fragment[]> {
  const fragments: Fragment[] = []
  const limit = end ?? reader.source.size
  for (let offset = start; offset < limit && fragments.length < maxFragments; ) {
    const fragment = await readFragment(reader, offset)
    if (!fragment) break
    fragments.push(fragment)
    offset = fragment.offset + fragment.length
  }
  return fragments
}

/** Behind the sequence delimiter that ends the fragments from `start`; undefined when there is none, or not soon enough. */
export async function endOfFragments(
  reader: WindowedReader,
  start: number,
  most = Number.POSITIVE_INFINITY,
): Promise<number | undefined> {
  for (let offset = start, count = 0; ; count++) {
    const fragment = await readFragment(reader, offset)
    if (fragment) {
      if (count >= most) return undefined
      offset = fragment.offset + fragment.length
      continue
    }
    const bytes = reader.peek(offset, 8) ?? (await reader.fetch(offset, 8))
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    return bytes.length === 8 && view.getUint32(0, true) === 0xe0ddfffe ? offset + 8 : undefined
  }
}

const openings = [
  [0xff, 0xd8, 0xff],
  [0xff, 0x4f, 0xff, 0x51],
  [0x00, 0x00, 0x00, 0x0c, 0x6a, 0x50, 0x20, 0x20],
  [0x00, 0x00, 0x00, 0x0c, 0x4a, 0x58, 0x4c, 0x20],
  [0xff, 0x0a],
]

function beginsImage(bytes: Uint8Array): boolean {
  return openings.some((opening) => opening.every((byte, index) => bytes[index] === byte))
}
