import { inflateRaw } from 'node:zlib'
import { promisify } from 'node:util'
import { Attributes, type StoredValue } from './attributes.ts'
import { type ByteSource, memorySource, WindowedReader } from './byte-source.ts'
import {
  beginsExplicit,
  type WalkEncoding,
  encodingInside,
  itemTag,
  offsetAfter,
  readElementHead,
  sequenceEndTag,
  undefinedLength,
} from './element-walk.ts'
import { RenderError } from './render-error.ts'
import { deflatedDataSet, explicitBigEndian, explicitLittleEndian, implicitLittleEndian } from './transfer-syntax.ts'

export interface PixelElement {
  readonly kind: 'integer' | 'float' | 'double'
  readonly vr: string
  readonly offset: number
  /** Undefined when the pixels are encapsulated. */
  readonly length: number | undefined
}

/** The parts of an object that drawing needs, read without touching its pixels. */
export interface ImageHeader {
  readonly transferSyntaxUid: string
  readonly attributes: Attributes
  readonly pixelElement: PixelElement | undefined
  /** A stray delimiter or item stands among the elements: nothing behind it can be told apart. */
  readonly isBrokenOff: boolean
  /** Where `pixelElement.offset` counts from: the file, or the inflated bytes of a deflated data set. */
  readonly source: ByteSource
}

const windowBytes = 64 * 1024
/** Lookup tables and overlays are far smaller; anything larger is not for drawing. */
const maxValueBytes = 32 * 1024 * 1024
/** Of all values together. */
const maxValuesBytes = 4 * maxValueBytes
const maxDepth = 8
/** A deflated data set has to be inflated as a whole; beyond this it is refused. */
const maxInflatedBytes = 256 * 1024 * 1024

const pixelKinds: ReadonlyMap<number, PixelElement['kind']> = new Map([
  [0x7fe00008, 'float'],
  [0x7fe00009, 'double'],
  [0x7fe00010, 'integer'],
])

/**
 * Reads an object's image attributes and finds its pixel data, in 64 KB steps: a large object is never read whole.
 * @param fallbackTransferSyntaxUid used when the bytes carry no file meta information
 * @throws RenderError
 */
export async function readImageHeader(source: ByteSource, fallbackTransferSyntaxUid?: string): Promise<ImageHeader> {
  let reader = new WindowedReader(source, windowBytes)
  const meta = await readMeta(reader)
  const transferSyntaxUid = meta.attributes.text(0x00020010) ?? fallbackTransferSyntaxUid
  let start = meta.end
  let pixelSource = source
  if (transferSyntaxUid === deflatedDataSet) {
    // deflated bytes are fewer than those they hold, but for a whisker
    if (source.size - start > maxInflatedBytes) throw deflatedTooLarge()
    pixelSource = memorySource(await inflate(await source.read(start, source.size - start)))
    reader = new WindowedReader(pixelSource, windowBytes)
    start = 0
  }
  const encoding = await detectEncoding(reader, start)
  const walked = await walkDataSet(reader, start, encoding)
  return {
    transferSyntaxUid:
      transferSyntaxUid === undefined || plainSyntaxes.has(transferSyntaxUid) ? nameOf(encoding) : transferSyntaxUid,
    attributes: new Attributes(walked.values, encoding.isBigEndian),
    pixelElement: walked.pixelElement,
    isBrokenOff: walked.isBrokenOff,
    source: pixelSource,
  }
}

async function readMeta(reader: WindowedReader): Promise<{ attributes: Attributes; end: number }> {
  const opening = await reader.fetch(0, 136)
  const magicAt = (offset: number) => Buffer.from(opening.subarray(offset, offset + 4)).toString('latin1') === 'DICM'
  let offset = magicAt(128) ? 132 : magicAt(0) ? 4 : 0
  const encoding = { isExplicit: true, isBigEndian: false }
  const values = new Map<number, StoredValue>()
  // The group length is often wrong: the group ends where another begins.
  for (;;) {
    const head = await readElementHead(reader, offset, encoding)
    if (!head || head.tag >>> 16 !== 2) break
    const bytes = await reader.fetch(head.valueOffset, Math.min(head.length, 1024))
    values.set(head.tag, { vr: head.vr, bytes: bytes.slice(), items: [] })
    offset = await offsetAfter(reader, head, encoding)
  }
  return { attributes: new Attributes(values, false), end: offset }
}

async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await promisify(inflateRaw)(bytes, { maxOutputLength: maxInflatedBytes })
  } catch (cause) {
    if (cause instanceof RangeError) throw deflatedTooLarge({ cause })
    throw new RenderError('damaged', 'The deflated data set cannot be inflated.', { cause })
  }
}

function deflatedTooLarge(options?: ErrorOptions): RenderError {
  const limit = `${maxInflatedBytes / 1024 / 1024} MB`
  return new RenderError('tooLarge', `The deflated data set is larger than ${limit} when inflated.`, options)
}

/** Believes the bytes before the declaration: data sets declared implicit and written explicit exist. */
async function detectEncoding(reader: WindowedReader, start: number): Promise<WalkEncoding> {
  const bytes = await reader.fetch(start, 8)
  if (bytes.length < 8) throw new RenderError('notDicom', 'The file holds no data set.')
  // data sets begin with a low group
  const isBigEndian = bytes[0] === 0 && (bytes[1] ?? 0) > 0 && (bytes[1] ?? 0) <= 0x28
  const isExplicit = await beginsExplicit(reader, start, isBigEndian)
  return { isExplicit, isBigEndian: isExplicit && isBigEndian }
}

const plainSyntaxes = new Set([implicitLittleEndian, explicitLittleEndian, explicitBigEndian])

function nameOf(encoding: WalkEncoding): string {
  if (encoding.isBigEndian) return explicitBigEndian
  return encoding.isExplicit ? explicitLittleEndian : implicitLittleEndian
}

function isForDrawing(tag: number): boolean {
  const group = tag >>> 16
  // Imager Pixel Spacing and Nominal Scanned Pixel Spacing
  if (tag === 0x00181164 || tag === 0x00182010) return true
  if (group === 0x0028 || group === 0x0008 || group === 0x0062) return true
  return group === 0x5200 || (group >>> 8 === 0x60 && group % 2 === 0) || group === 0x7fe0
}

async function walkDataSet(reader: WindowedReader, start: number, encoding: WalkEncoding) {
  const values = new Map<number, StoredValue>()
  const budget = { left: maxValuesBytes }
  let pixelElement: PixelElement | undefined
  let isBrokenOff = false
  let offset = start
  while (offset < reader.source.size) {
    const head = await readElementHead(reader, offset, encoding)
    if (!head || head.tag >>> 16 > 0x7fe0) {
      isBrokenOff = head !== undefined && head.tag >>> 16 === 0xfffe
      break
    }
    const kind = pixelKinds.get(head.tag)
    if (kind) {
      const length = head.length === undefinedLength ? undefined : head.length
      pixelElement = { kind, vr: head.vr, offset: head.valueOffset, length }
      break
    }
    if (isForDrawing(head.tag)) values.set(head.tag, await readValue(reader, head, encoding, 0, budget))
    offset = await offsetAfter(reader, head, encoding)
  }
  if (values.size === 0 && !pixelElement) throw new RenderError('notDicom', 'The file is not readable as DICOM.')
  return { values, pixelElement, isBrokenOff }
}

type Head = NonNullable<Awaited<ReturnType<typeof readElementHead>>>

async function readValue(
  reader: WindowedReader,
  head: Head,
  encoding: WalkEncoding,
  depth: number,
  budget: { left: number },
): Promise<StoredValue> {
  const none = { vr: head.vr, bytes: new Uint8Array(0), items: [] }
  const group = head.tag >>> 16
  if (head.vr === 'SQ' || head.length === undefinedLength || (head.vr === '' && (await beginsWithItem(reader, head)))) {
    // Sequences of group 0008 are references and codes; no picture depends on them.
    const isWanted = depth < maxDepth && (depth > 0 || group === 0x0028 || group === 0x5200)
    if (!isWanted) return none
    return { ...none, items: await readItems(reader, head, encodingInside(head, encoding), depth + 1, budget) }
  }
  if (head.length > maxValueBytes || head.valueOffset + head.length > reader.source.size) return none
  budget.left -= head.length
  if (budget.left < 0) throw new RenderError('tooLarge', 'The attributes of the image are too large.')
  return { ...none, bytes: (await reader.fetch(head.valueOffset, head.length)).slice() }
}

async function beginsWithItem(reader: WindowedReader, head: Head): Promise<boolean> {
  if (head.length < 8) return false
  const bytes = await reader.fetch(head.valueOffset, 4)
  return bytes[0] === 0xfe && bytes[1] === 0xff && bytes[2] === 0x00 && bytes[3] === 0xe0
}

async function readItems(
  reader: WindowedReader,
  sequence: Head,
  encoding: WalkEncoding,
  depth: number,
  budget: { left: number },
) {
  const items: Attributes[] = []
  const end =
    sequence.length === undefinedLength
      ? reader.source.size
      : Math.min(reader.source.size, sequence.valueOffset + sequence.length)
  let offset = sequence.valueOffset
  while (offset < end) {
    const head = await readElementHead(reader, offset, encoding)
    if (!head || head.tag === sequenceEndTag || head.tag !== itemTag) break
    const itemEnd = head.length === undefinedLength ? end : Math.min(end, head.valueOffset + head.length)
    const values = new Map<number, StoredValue>()
    let inside = head.valueOffset
    while (inside < itemEnd) {
      const element = await readElementHead(reader, inside, encoding)
      if (!element || element.tag >>> 16 === 0xfffe) break
      values.set(element.tag, await readValue(reader, element, encoding, depth, budget))
      inside = await offsetAfter(reader, element, encoding)
    }
    items.push(new Attributes(values, encoding.isBigEndian))
    // An item of undefined length ends with an 8-byte delimiter.
    offset = head.length === undefinedLength ? inside + 8 : itemEnd
  }
  return items
}
