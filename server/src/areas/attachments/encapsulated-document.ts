import { FIRST_READ_BYTES } from '@hilum/dicom/limits'
import { readElementHeader, sourceOf, UNDEFINED_LENGTH } from '@hilum/dicom/elements'
import { type DicomHeader, readHeader } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import { readDeflatedDocument } from './deflated-document.ts'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { storeOf } from '../storage/own-bytes.ts'
import type { Part } from '../storage/parts.ts'

const PDF_START = Buffer.from('%PDF-')
/** A document behind more than this is not looked for. */
const MAX_HEADER_BYTES = 16 * 1024 * 1024
/** A deflated file is opened in memory. */
const MAX_DEFLATED_BYTES = 64 * 1024 * 1024
const ELEMENT_HEADER_BYTES = 12

/** The PDF inside an Encapsulated PDF instance (PS3.3 A.45.1), fetched when it is sent; undefined when there is none. */
export async function findPdf(store: ObjectStore, instance: StoredInstance): Promise<Part | undefined> {
  const found = transferSyntaxOf(instance.transfer_syntax).isDeflated
    ? await findDeflated(store, instance)
    : await findPlain(store, instance)
  if (!found || found.length < PDF_START.length) return undefined
  const start = found.kind === 'bytes' ? found.bytes.subarray(0, PDF_START.length) : await firstOf(found)
  return PDF_START.equals(start) ? found.part : undefined
}

type Found =
  | { kind: 'bytes'; bytes: Uint8Array; length: number; part: Part }
  | { kind: 'stream'; length: number; part: Part }

async function firstOf({ part }: Found): Promise<Uint8Array> {
  if (part.kind === 'bytes') return part.bytes.subarray(0, PDF_START.length)
  const chunks: Uint8Array[] = []
  for await (const chunk of part.open(0, PDF_START.length)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function findDeflated(store: ObjectStore, instance: StoredInstance): Promise<Found | undefined> {
  if (instance.length > MAX_DEFLATED_BYTES) return undefined
  const bytes = await storeOf(store, instance).read(instance.object_key, instance.byte_offset, instance.length)
  const held = await readDeflatedDocument(bytes)
  return held && { kind: 'bytes', bytes: held, length: held.length, part: { kind: 'bytes', bytes: held } }
}

async function findPlain(store: ObjectStore, instance: StoredInstance): Promise<Found | undefined> {
  const { object_key, byte_offset, length } = instance
  const header = await readWithoutValues(store, instance)
  if (!header) return undefined
  const { dataSet } = header
  const known = dataSet.elements.get(Tag.EncapsulatedDocument)
  const value = known ?? (await headerBehind(store, instance, header))
  if (!value || value.length === UNDEFINED_LENGTH || value.valueStart + value.length > length) return undefined
  const part: Part = {
    kind: 'stream',
    length: value.length,
    open: (start, count) => store.stream(object_key, byte_offset + value.valueStart + start, count),
  }
  return { kind: 'stream', length: value.length, part }
}

/** The elements up to the first large value, which is the document where there is one. */
async function readWithoutValues(store: ObjectStore, instance: StoredInstance): Promise<DicomHeader | undefined> {
  const { object_key, byte_offset, length } = instance
  for (let wanted = FIRST_READ_BYTES; ; ) {
    const bytes = await storeOf(store, instance).read(object_key, byte_offset, Math.min(wanted, length))
    const read = readHeader(bytes, { size: length })
    if (read.kind === 'header') return read.header
    wanted = Math.max(read.atLeastBytes, wanted * 8)
    if (wanted > MAX_HEADER_BYTES) return undefined
  }
}

async function headerBehind(store: ObjectStore, instance: StoredInstance, { dataSet, isComplete }: DicomHeader) {
  if (isComplete) return undefined
  const at = dataSet.end
  const bytes = await store.read(instance.object_key, instance.byte_offset + at, ELEMENT_HEADER_BYTES)
  if (bytes.length < ELEMENT_HEADER_BYTES) return undefined
  const { encoding } = dataSet
  const header = readElementHeader(sourceOf(bytes, encoding), 0, bytes.length, encoding.isExplicit)
  return header.tag === Tag.EncapsulatedDocument ? { ...header, valueStart: at + header.valueStart } : undefined
}
