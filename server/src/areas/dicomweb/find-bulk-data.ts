import { readBehindPixels, walkBehindPixels } from '@hilum/dicom/node/behind-pixels'
import { inflate } from '@hilum/dicom/node/inflate'
import type { DataSet } from '@hilum/dicom/data-set'
import type { DicomElement } from '@hilum/dicom/elements'
import { MAX_INFLATED_BYTES } from '@hilum/dicom/limits'
import { findVr } from '@hilum/dicom/dictionary'
import type { Correction } from '@hilum/dicom/node/correct-file'
import { DicomReadError } from '@hilum/dicom/read-error'
import { findFileStart } from '@hilum/dicom/file-start'
import { readDataSet } from '@hilum/dicom/read'
import {
  beginsExplicit,
  type ElementHead,
  type WalkEncoding,
  encodingInside,
  itemTag,
  offsetAfter,
  readElementHead,
  undefinedLength,
} from '@hilum/dicom/render/element-walk'
import { memorySource, WindowedReader } from '@hilum/dicom/render/byte-source'
import { transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import { isPrivateTag, Tag } from '@hilum/dicom/tags'
import { readItems, valueBytes } from '@hilum/dicom/values'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { asCorrected } from '../altered/corrected-instance.ts'
import { collectParts, lengthOfPart, type Part } from '../storage/parts.ts'
import { swapped } from './explicit-data-set.ts'
import { storeOf } from '../storage/own-bytes.ts'
import { openedInTurn } from './opened-in-turn.ts'

/** Tags and item numbers (from 0), from the outside to the inside: `00420011`, `52009229/0/00091001`. */
type Path = readonly { tag: number; item: number | undefined }[]

const windowBytes = 64 * 1024
const maxDepth = 16
/** Where the first 64 KB do not hold the file's beginning, nothing does. */
const startBytes = 64 * 1024

/**
 * The value of an element that metadata named by its address. The value is found without reading what lies in front of
 * it, and sent from where it lies.
 * @returns undefined when the instance has no such value
 */
export async function findBulkData(
  store: ObjectStore,
  instance: StoredInstance,
  address: string,
): Promise<Part | undefined> {
  const path = readPath(address)
  if (!path) return undefined
  const syntax = transferSyntaxOf(instance.transfer_syntax)
  try {
    return syntax.isDeflated || !syntax.isLittleEndian
      ? await openedInTurn(instance, () => findInMemory(store, instance, path))
      : await findInFile(store, instance, path)
  } catch (error) {
    if (error instanceof DicomReadError) return undefined
    throw error
  }
}

/**
 * The same, of the instance as it leaves: values of corrected attributes, their originals, and texts, whose character set
 * may be another one then.
 * @throws CannotSendError
 */
export async function findCorrectedBulkData(
  store: ObjectStore,
  instance: StoredInstance,
  correction: Correction,
  address: string,
): Promise<Part | undefined> {
  const path = readPath(address)
  if (!path) return undefined
  const [first, last] = [path[0]?.tag ?? 0, path.at(-1)?.tag ?? 0]
  const isTouched = first === Tag.OriginalAttributesSequence || correction.edits.some(({ tag }) => tag === first)
  // bytes and numbers stay as they are, where nothing of a former patient is left out
  if (!isTouched && !correction.withholdsFormer && !isPrivateTag(last) && !textVrs.has(findVr(last)))
    return findBulkData(store, instance, address)
  const found = await openedInTurn(instance, async () => {
    const { parts, isCorrected } = await asCorrected(store, instance, correction)
    const [prefix] = parts
    if (!isCorrected || !prefix) return undefined
    const bytes = await collectParts([prefix], lengthOfPart(prefix))
    if (first <= Tag.PixelData || transferSyntaxOf(instance.transfer_syntax).isDeflated)
      return { part: await valueIn(bytes, path) }
    const behind = parts.length > 2 ? parts.at(-1) : undefined
    if (!behind) return undefined
    const { dataSet } = readDataSet(bytes)
    return { part: valueAt(walkBehindPixels(await collectParts([behind], lengthOfPart(behind)), dataSet), path) }
  })
  return found ? found.part : findBulkData(store, instance, address)
}

const textVrs: ReadonlySet<string> = new Set(['LO', 'LT', 'PN', 'SH', 'ST', 'UC', 'UN', 'UT'])

function readPath(address: string): Path | undefined {
  const words = address.split('/')
  if (words.length % 2 === 0 || words.length > maxDepth * 2) return undefined
  const steps: { tag: number; item: number | undefined }[] = []
  for (let at = 0; at < words.length; at += 2) {
    const [tag = '', item] = [words[at], words[at + 1]]
    if (!/^[0-9a-f]{8}$/i.test(tag) || (item !== undefined && !/^\d{1,6}$/.test(item))) return undefined
    steps.push({ tag: Number.parseInt(tag, 16), item: item === undefined ? undefined : Number(item) })
  }
  return steps
}

async function findInFile(store: ObjectStore, instance: StoredInstance, path: Path): Promise<Part | undefined> {
  const { object_key, byte_offset, length } = instance
  const { dataSetStart } = findFileStart(
    await storeOf(store, instance).read(object_key, byte_offset, Math.min(startBytes, length)),
    length,
  )
  await using source = await store.open(instance)
  const reader = new WindowedReader(source, windowBytes)
  let encoding: WalkEncoding = { isExplicit: await beginsExplicit(reader, dataSetStart), isBigEndian: false }
  let offset = dataSetStart
  let end = length
  for (const { tag, item } of path) {
    const head = await findElement(reader, offset, end, encoding, tag)
    if (!head) return undefined
    if (item === undefined) {
      const { valueOffset } = head
      if (head.length === undefinedLength || valueOffset + head.length > length) return undefined
      const open = (from: number, count: number) => store.stream(object_key, byte_offset + valueOffset + from, count)
      return { kind: 'stream', length: head.length, open }
    }
    encoding = encodingInside(head, encoding)
    const found = await findItem(reader, head, encoding, item)
    if (!found) return undefined
    offset = found.offset
    end = found.end
  }
  return undefined
}

async function findElement(
  reader: WindowedReader,
  start: number,
  end: number,
  encoding: WalkEncoding,
  tag: number,
): Promise<ElementHead | undefined> {
  let offset = start
  while (offset < end) {
    const head = await readElementHead(reader, offset, encoding)
    if (!head || head.tag > tag || head.tag >>> 16 === 0xfffe) return undefined
    if (head.tag === tag) return head
    offset = await offsetAfter(reader, head, encoding)
  }
  return undefined
}

async function findItem(
  reader: WindowedReader,
  sequence: ElementHead,
  encoding: WalkEncoding,
  wanted: number,
): Promise<{ offset: number; end: number } | undefined> {
  const size = reader.source.size
  const end = sequence.length === undefinedLength ? size : Math.min(size, sequence.valueOffset + sequence.length)
  let offset = sequence.valueOffset
  for (let number = 0; offset < end; number++) {
    const item = await readElementHead(reader, offset, encoding)
    if (!item || item.tag !== itemTag) return undefined
    const after = await offsetAfter(reader, item, encoding)
    if (number === wanted) return { offset: item.valueOffset, end: after }
    offset = after
  }
  return undefined
}

/** Deflated data sets are inflated whole; the words of big endian ones are turned round. */
async function findInMemory(store: ObjectStore, instance: StoredInstance, path: Path): Promise<Part | undefined> {
  if (instance.length > MAX_INFLATED_BYTES) throw new DicomReadError('too-large', 'The file is too large to be opened')
  const bytes = await storeOf(store, instance).read(instance.object_key, instance.byte_offset, instance.length)
  return valueIn(bytes, path)
}

/** In a whole file, behind its pixels too. */
async function valueIn(bytes: Uint8Array, path: Path): Promise<Part | undefined> {
  const whole = readDataSet(bytes, { inflate })
  const { pixelElement } = whole
  const isBehind = pixelElement !== undefined && (path[0]?.tag ?? 0) > pixelElement.tag
  const behind = isBehind
    ? await readBehindPixels(memorySource(whole.dataSet.source.bytes), pixelElement, whole.dataSet)
    : undefined
  return valueAt(behind ?? whole.dataSet, path)
}

function valueAt(whole: DataSet, path: Path): Part | undefined {
  let dataSet = whole
  for (const { tag, item } of path) {
    const element: DicomElement | undefined = dataSet.elements.get(tag)
    if (!element) return undefined
    if (item === undefined) {
      const value = valueBytes(dataSet, element)
      const isLittle = dataSet.source.encoding.isLittleEndian
      // a piece of the data set would keep all of it in memory until it is sent
      return { kind: 'bytes', bytes: new Uint8Array(isLittle ? value : swapped(value, element.vr ?? 'UN')) }
    }
    const inside: DataSet | undefined = readItems(dataSet, element)[item]
    if (!inside) return undefined
    dataSet = inside
  }
  return undefined
}
