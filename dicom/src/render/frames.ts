import { WindowedReader } from './byte-source.ts'
import { describeImage, frameBits, type ImageDescription } from './image-description.ts'
import type { ImageHeader } from './image-header.ts'
import { listFragments, type Fragment, readFragment } from './fragments.ts'
import { RenderError } from './render-error.ts'

interface ByteRange {
  readonly offset: number
  readonly length: number
}

interface FrameLocation {
  /** In order; together they are the frame. Offsets count in `ImageHeader.source`. */
  readonly ranges: readonly ByteRange[]
  /** Where the frame begins inside the first byte or word: 1-bit frames need not begin on a byte. */
  readonly bitOffset: number
}

export interface FrameBytes {
  readonly bytes: Uint8Array
  readonly bitOffset: number
}

/** Fragment headers are 8 bytes; a small window serves runs of small fragments and costs little for large ones. */
const fragmentWindowBytes = 4096
/** Several frames in one fragment have to be searched for; beyond this it is refused. */
const maxSearchedBytes = 256 * 1024 * 1024

/**
 * Finds one frame (from 0) in native or encapsulated pixel data without reading others.
 * @throws RenderError noSuchFrame, damaged
 */
export async function locateFrame(
  header: ImageHeader,
  frame: number,
  image: ImageDescription = describeImage(header),
): Promise<FrameLocation> {
  if (!Number.isSafeInteger(frame) || frame < 0 || frame >= image.frameCount) {
    throw notThere(header, frame, image)
  }
  const element = header.pixelElement
  if (!element) throw new RenderError('noPicture', 'This object holds no image.')
  if (element.length !== undefined) return locateNative(header, element.offset, element.length, frame, image)
  return { ranges: await locateEncapsulated(header, element.offset, frame, image), bitOffset: 0 }
}

/** A frame that the image counts and came without is lost: pictures say so, instead of that nobody ever took it. */
function notThere({ attributes }: ImageHeader, frame: number, { frameCount }: ImageDescription): RenderError {
  const declared = attributes.decimal(0x00280008) ?? 1
  return frame >= 0 && frame < declared
    ? new RenderError('damaged', `Frame ${frame + 1} is lost: of ${declared} frames the image came with ${frameCount}.`)
    : new RenderError('noSuchFrame', `There is no frame ${frame + 1}; the object holds ${frameCount}.`)
}

/** The bytes of one frame as stored: still compressed when the transfer syntax is. */
export async function readFrame(
  header: ImageHeader,
  frame: number,
  image: ImageDescription = describeImage(header),
): Promise<FrameBytes> {
  const { ranges, bitOffset } = await locateFrame(header, frame, image)
  const parts: Uint8Array[] = []
  for (const range of ranges) {
    const part = await header.source.read(range.offset, range.length)
    // Decoders would draw a cut frame half grey, and half a picture passes for a whole one.
    if (part.length < range.length) throw endsEarly()
    parts.push(part)
  }
  const bytes = parts.length === 1 ? (parts[0] as Uint8Array) : new Uint8Array(Buffer.concat(parts))
  if (bytes.length === 0) throw new RenderError('damaged', 'The frame is empty.')
  return { bytes, bitOffset }
}

function endsEarly(): RenderError {
  return new RenderError('damaged', 'The file ends before its pixel data does.')
}

function locateNative(
  header: ImageHeader,
  start: number,
  length: number,
  frame: number,
  image: ImageDescription,
): FrameLocation {
  const bits = frameBits(image)
  const firstBit = frame * bits
  let firstByte = Math.floor(firstBit / 8)
  let endByte = Math.ceil((firstBit + bits) / 8)
  if (endByte > length || start + endByte > header.source.size) throw endsEarly()
  if (image.isByteSwapped) {
    firstByte -= firstByte % 2
    endByte = Math.min(length, endByte + (endByte % 2))
  }
  return {
    ranges: [{ offset: start + firstByte, length: endByte - firstByte }],
    bitOffset: firstBit - firstByte * 8,
  }
}

async function locateEncapsulated(
  header: ImageHeader,
  start: number,
  frame: number,
  image: ImageDescription,
): Promise<ByteRange[]> {
  const reader = new WindowedReader(header.source, fragmentWindowBytes)
  const table = await readFragment(reader, start)
  if (!table) throw new RenderError('damaged', 'The pixel data holds no fragments.')
  const firstOffset = table.offset + table.length
  const extended = await byExtendedTable(header, reader, firstOffset, frame, image)
  if (extended) return [extended]
  if (image.frameCount > 1) {
    const indexed = await byBasicTable(header, reader, table, firstOffset, frame, image)
    if (indexed) return indexed
  }
  const fragments = await listFragments(reader, firstOffset)
  if (fragments.length === 0) throw new RenderError('damaged', 'The pixel data holds no fragments.')
  if (image.frameCount === 1) return fragments
  // RLE and deflated frames are one fragment each by definition, so a cut file still has its first ones.
  const isOneEach = fragments.length === image.frameCount || image.coding === 'rle' || image.coding === 'deflatedFrames'
  const fragment = fragments[frame]
  if (isOneEach && fragments.length <= image.frameCount && fragment) return [fragment]
  return byContent(header, fragments, frame, image.frameCount)
}

/** PS3.3 C.7.6.3.1.8: one fragment a frame, with its length; believed only where an item really begins. */
async function byExtendedTable(
  header: ImageHeader,
  reader: WindowedReader,
  firstOffset: number,
  frame: number,
  image: ImageDescription,
): Promise<ByteRange | undefined> {
  const offsets = header.attributes.longs(0x7fe00001)
  const lengths = header.attributes.longs(0x7fe00002)
  if (offsets.length < image.frameCount || lengths.length < image.frameCount) return undefined
  const fragment = await readFragment(reader, firstOffset + (offsets[frame] ?? 0))
  const length = lengths[frame] ?? 0
  if (!fragment || length > fragment.length || length === 0) return undefined
  return { offset: fragment.offset, length }
}

async function byBasicTable(
  header: ImageHeader,
  reader: WindowedReader,
  table: Fragment,
  firstOffset: number,
  frame: number,
  image: ImageDescription,
): Promise<ByteRange[] | undefined> {
  if (table.length !== image.frameCount * 4) return undefined
  const isLast = frame === image.frameCount - 1
  const wanted = isLast ? 4 : 8
  const bytes = await header.source.read(table.offset + frame * 4, wanted)
  if (bytes.length < wanted) return undefined // the file ends in the table
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const start = firstOffset + view.getUint32(0, true)
  const end = isLast ? undefined : firstOffset + view.getUint32(4, true)
  if (end !== undefined && end <= start) return undefined
  const fragments = await listFragments(reader, start, end)
  // A table that points beside the items is worse than none: the fragments themselves are asked then.
  const reached = fragments.at(-1)
  if (!reached || (image.coding === 'codestream' && !fragments[0]?.beginsImage)) return undefined
  if (end !== undefined && reached.offset + reached.length !== end) return undefined
  return fragments
}

async function byContent(
  header: ImageHeader,
  fragments: readonly Fragment[],
  frame: number,
  frameCount: number,
): Promise<ByteRange[]> {
  const starts = fragments.flatMap((fragment, index) => (fragment.beginsImage ? [index] : []))
  if (fragments.length > frameCount && starts.length === frameCount) {
    return fragments.slice(starts[frame], starts[frame + 1])
  }
  const total = fragments.reduce((sum, fragment) => sum + fragment.length, 0)
  if (total <= maxSearchedBytes) {
    const found: ByteRange[][] = []
    for (const fragment of fragments) found.push(...(await splitJpegs(header, fragment)))
    const ranges = found[frame]
    const isCutShort = found.length < frameCount && starts.length === fragments.length
    if (ranges && (found.length === frameCount || isCutShort)) return ranges
  }
  const message = `Frame ${frame + 1} of ${frameCount} cannot be told apart in ${fragments.length} fragments.`
  throw new RenderError('damaged', message)
}

/** JPEG images laid end to end in one fragment: each begins with SOI right after the EOI of the one before. */
async function splitJpegs(header: ImageHeader, fragment: Fragment): Promise<ByteRange[][]> {
  if (!fragment.beginsImage) return []
  const bytes = Buffer.from(await header.source.read(fragment.offset, fragment.length))
  const starts = [0]
  const endOfImage = Buffer.from([0xff, 0xd9])
  for (let at = bytes.indexOf(endOfImage); at >= 0; at = bytes.indexOf(endOfImage, at + 2)) {
    let next = at + 2
    while (bytes[next] === 0 || (bytes[next] === 0xff && bytes[next + 1] === 0xff)) next++
    if (bytes[next] === 0xff && bytes[next + 1] === 0xd8 && bytes[next + 2] === 0xff) starts.push(next)
  }
  return starts.map((start, index) => [
    { offset: fragment.offset + start, length: (starts[index + 1] ?? bytes.length) - start },
  ])
}
