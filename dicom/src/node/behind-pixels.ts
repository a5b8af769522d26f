import { type DataSet, walkDataSet } from '../data-set.ts'
import { type ElementHeader, sourceOf, UNDEFINED_LENGTH } from '../elements.ts'
import { type ByteSource, WindowedReader } from '../render/byte-source.ts'
import { endOfFragments, readFragment } from '../render/fragments.ts'

/** Private attributes and signatures; raw data of megabytes stand there as well. */
const MAX_BYTES = 64 * 1024 * 1024
const windowBytes = 4096
/** Walked one by one where no table names the last. */
const MAX_FRAGMENTS = 100_000

/**
 * The elements behind the pixel data, which nothing in front of it tells of. Damaged ones end the list.
 * @param pixels as `readHeader` gives it, counted in `source`
 * @returns undefined when there are none, or too many bytes of them
 */
export async function readBehindPixels(
  source: ByteSource,
  pixels: ElementHeader,
  { encoding, charset }: Pick<DataSet, 'encoding' | 'charset'>,
): Promise<DataSet | undefined> {
  const bytes = await readBytesBehind(source, pixels)
  const tail = bytes && walkBehindPixels(bytes, { encoding, charset })
  return tail && tail.elements.size > 0 ? tail : undefined
}

/**
 * The bytes behind the pixel data.
 * @returns undefined when the pixels have no end, or too many bytes follow
 */
export async function readBytesBehind(source: ByteSource, pixels: ElementHeader): Promise<Uint8Array | undefined> {
  const start =
    pixels.length === UNDEFINED_LENGTH
      ? await endOfPixels(source, pixels.valueStart)
      : pixels.valueStart + pixels.length
  if (start === undefined || source.size - start > MAX_BYTES) return undefined
  // fewer bytes than a header has
  return source.size - start < 8 ? new Uint8Array() : source.read(start, source.size - start)
}

/** Elements from the end of the pixel data on; damaged ones end the list. */
export function walkBehindPixels(
  bytes: Uint8Array,
  { encoding, charset }: Pick<DataSet, 'encoding' | 'charset'>,
): DataSet {
  let last = 0x7fe00010
  // leftovers of transports are no elements: theirs would not come in order
  const stopBefore = ({ tag }: { tag: number }) => {
    const isInOrder = tag > last
    last = tag
    return !isInOrder
  }
  const options = { start: 0, limit: bytes.length, stopBefore, inheritedCharset: charset, isLenient: true }
  return walkDataSet(sourceOf(bytes, encoding), encoding, options)
}

/** Behind the fragments, the last of which the offset table names where there is one. */
async function endOfPixels(source: ByteSource, start: number): Promise<number | undefined> {
  const reader = new WindowedReader(source, windowBytes)
  const table = await readFragment(reader, start)
  if (!table) return undefined
  const first = table.offset + table.length
  if (table.length < 4) return endOfFragments(reader, first, MAX_FRAGMENTS)
  const bytes = await reader.fetch(first - 4, 4)
  if (bytes.length < 4) return undefined
  const last = first + new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true)
  return endOfFragments(reader, (await readFragment(reader, last)) ? last : first, MAX_FRAGMENTS)
}
