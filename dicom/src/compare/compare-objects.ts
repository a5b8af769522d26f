import { type DataSet, walkDataSet } from '../data-set.ts'
import { readElementHeader, sourceOf, UNDEFINED_LENGTH } from '../elements.ts'
import { FIRST_READ_BYTES, MAX_MODELLED_BYTES, READ_GROWTH_FACTOR } from '../limits.ts'
import { inflate } from '../node/inflate.ts'
import { DicomReadError } from '../read-error.ts'
import { type DicomHeader, isPixelDataTag, readDataSet, readHeader } from '../read.ts'
import { type ByteSource, WindowedReader } from '../render/byte-source.ts'
import { endOfFragments } from '../render/fragments.ts'
import { readImageHeader } from '../render/image-header.ts'
import { RenderError } from '../render/render-error.ts'
import { Tag } from '../tags.ts'
import { transferSyntaxOf } from '../transfer-syntaxes.ts'
import { comparePixels, type PixelComparison } from './compare-pixels.ts'
import { compareDataSets, type Difference, Differences } from './compare-values.ts'
import { ofTags, readCorrection } from './read-correction.ts'

/** In what two objects differ, in values or pixels; nothing where only their writing does. */
export type Comparison = {
  isSame: boolean
  differences: Difference[]
  /** Of all differing attributes, those that are not told included. */
  differenceCount: number
  pixels: PixelComparison
  /** The first is the second as we corrected it on its way out, with nothing else changed. */
  isCorrection?: true
}

/** How pixels are laid out, where they are compared as decoded. */
const layoutTags = new Set<number>([Tag.PhotometricInterpretation, Tag.PlanarConfiguration])

/**
 * Compares two files value by value and by their pixels as decoded. Group 0002, preamble, lengths, VR form, byte order,
 * padding, character sets and offset tables say nothing of the object and do not count.
 * @throws DicomReadError | RenderError when one of them cannot be read
 */
export async function compareObjects(first: ByteSource, second: ByteSource): Promise<Comparison> {
  const [one, other] = [await readParts(first), await readParts(second)]
  const differences = new Differences()
  const isOtherSyntax = one.transferSyntax !== other.transferSyntax
  compareDataSets(one.before, other.before, differences, isOtherSyntax ? layoutTags : new Set())
  compareDataSets(one.behind, other.behind, differences)
  const pixels = await comparePixelsOf(first, one, second, other)
  if (isOtherSyntax && !pixels.isSame) {
    const layout = (dataSet: DataSet) => ({ ...dataSet, elements: pick(dataSet) })
    compareDataSets(layout(one.before), layout(other.before), differences)
  }
  const isSame = differences.count === 0 && pixels.isSame
  const found = { isSame, differences: differences.reported, differenceCount: differences.count, pixels }
  if (isSame || !pixels.isSame) return found
  return isCorrectionOf(one, other, isOtherSyntax) ? { ...found, isCorrection: true } : found
}

/** Whether undoing the last correction that one object names as ours makes the other of it. */
function isCorrectionOf(one: Parts, other: Parts, isOtherSyntax: boolean): boolean {
  const originals = readCorrection(one.before, other.before)
  if (!originals) return false
  const { original, tags } = originals
  const differences = new Differences()
  const layout = isOtherSyntax ? [...layoutTags] : []
  compareDataSets(one.before, other.before, differences, new Set([...tags, ...layout, Tag.OriginalAttributesSequence]))
  compareDataSets(one.behind, other.behind, differences)
  compareDataSets(original, ofTags(other.before, new Set(original.elements.keys())), differences)
  return differences.count === 0
}

function pick({ elements }: DataSet): DataSet['elements'] {
  return new Map([...elements].filter(([tag]) => layoutTags.has(tag)))
}

async function comparePixelsOf(first: ByteSource, one: Parts, second: ByteSource, other: Parts) {
  if (!one.hasPixels || !other.hasPixels) return { isSame: one.hasPixels === other.hasPixels, frames: [] }
  const headers = [
    await readImageHeader(first, one.transferSyntax),
    await readImageHeader(second, other.transferSyntax),
  ] as const
  return comparePixels(headers[0], headers[1])
}

type Parts = { transferSyntax: string; before: DataSet; behind: DataSet; hasPixels: boolean }

async function readParts(source: ByteSource): Promise<Parts> {
  const header = await readBeginning(source)
  const { transferSyntax, dataSet } = header
  if (transferSyntaxOf(transferSyntax).isDeflated) return readDeflated(source, transferSyntax)
  const { pixelOffset } = header
  if (pixelOffset === undefined) return { transferSyntax, before: dataSet, behind: none(dataSet), hasPixels: false }
  const end = await endOfPixels(source, pixelOffset, dataSet)
  return { transferSyntax, before: dataSet, behind: await readBehind(source, end, dataSet), hasPixels: true }
}

async function readDeflated(source: ByteSource, transferSyntax: string): Promise<Parts> {
  if (source.size > MAX_MODELLED_BYTES) throw new DicomReadError('too-large', 'The deflated file is too large')
  const { dataSet } = readDataSet(await source.read(0, source.size), { inflate })
  const { bytes } = dataSet.source
  if (dataSet.end + 12 > bytes.length)
    return { transferSyntax, before: dataSet, behind: none(dataSet), hasPixels: false }
  const { tag, valueStart, length } = readElementHeader(dataSet.source, dataSet.end, bytes.length, true)
  if (!isPixelDataTag(tag)) return { transferSyntax, before: dataSet, behind: none(dataSet), hasPixels: false }
  const behind = walkBehind(bytes.subarray(length === UNDEFINED_LENGTH ? bytes.length : valueStart + length), dataSet)
  return { transferSyntax, before: dataSet, behind, hasPixels: true }
}

async function readBeginning(source: ByteSource): Promise<DicomHeader> {
  for (let wanted = FIRST_READ_BYTES; ; ) {
    const bytes = await source.read(0, Math.min(wanted, source.size))
    const read = readHeader(bytes, { size: source.size, untilPixelData: true, inflate })
    if (read.kind === 'header') return read.header
    if (read.atLeastBytes > MAX_MODELLED_BYTES) throw new DicomReadError('too-large', 'The header is too large')
    wanted = Math.max(read.atLeastBytes, Math.min(wanted * READ_GROWTH_FACTOR, MAX_MODELLED_BYTES))
  }
}

async function endOfPixels(source: ByteSource, pixelOffset: number, { encoding }: DataSet): Promise<number> {
  const bytes = await source.read(pixelOffset, 12)
  const { valueStart, length } = readElementHeader(sourceOf(bytes, encoding), 0, bytes.length, encoding.isExplicit)
  if (length !== UNDEFINED_LENGTH) return pixelOffset + valueStart + length
  const end = await endOfFragments(new WindowedReader(source, 64 * 1024), pixelOffset + valueStart)
  return end ?? source.size
}

async function readBehind(source: ByteSource, start: number, dataSet: DataSet): Promise<DataSet> {
  if (source.size - start > MAX_MODELLED_BYTES) {
    throw new RenderError('tooLarge', 'What stands behind the pixels is too large to compare.')
  }
  return walkBehind(await source.read(start, Math.max(0, source.size - start)), dataSet)
}

function walkBehind(bytes: Uint8Array, { encoding, charset }: DataSet): DataSet {
  const options = { start: 0, limit: bytes.length, inheritedCharset: charset, isLenient: true }
  return walkDataSet(sourceOf(bytes, encoding), encoding, options)
}

function none(dataSet: DataSet): DataSet {
  return { ...dataSet, elements: new Map(), duplicates: [] }
}
