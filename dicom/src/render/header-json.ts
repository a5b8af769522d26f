import { type ElementHeader, UNDEFINED_LENGTH } from '../elements.ts'
import { type AttributeListing, type Behind, listAttributes, listFields } from '../attribute-list.ts'
import { type BulkDataValue, dataSetToJsonTexts, joinJsonTexts } from '../json.ts'
import { readBytesBehind, walkBehindPixels } from '../node/behind-pixels.ts'
import { type Correction, correctFile } from '../node/correct-file.ts'
import {
  type FileBeginning,
  type FileFacts,
  firstBytesOf,
  readModelled,
  readUpToPixels,
} from '../node/read-beginning.ts'
import { inflate } from '../node/inflate.ts'
import { DicomReadError } from '../read-error.ts'
import { readDataSet } from '../read.ts'
import type { ElementEdit } from '../splice.ts'
import { tagToHex, vrOfTag } from '../tags.ts'
import { transferSyntaxOf } from '../transfer-syntaxes.ts'
import { concatBytes } from '../write-part10.ts'
import { type ByteSource, memorySource } from './byte-source.ts'

/** The JSON wanted of an image, from its header. */
export type HeaderJsonOptions =
  /** The DICOM JSON model, of the file as it leaves. `address` is where the instance lives. */
  | { kind: 'model'; address: string; correction: Correction | undefined }
  /** The top-level attributes as a list. */
  | { kind: 'attributes'; edits: readonly ElementEdit[]; listing: AttributeListing }
  /** Some values by name. */
  | {
      kind: 'fields'
      edits: readonly ElementEdit[]
      fields: readonly (readonly [name: string, tag: number])[]
      /** Leaves out whatever may tell of a former patient. */
      withholdsFormer?: boolean
    }

export type HeaderJsonRequest = { facts: FileFacts; options: HeaderJsonOptions }

/** Binary values up to this length are carried inline; longer ones get an address. */
const maxInlineBytes = 1024
/** Enough to see that the pixel data element begins. */
const pixelHeaderBytes = 64

/**
 * The JSON text of an object that says of an image what was asked, in this thread. Of a large header it takes seconds:
 * the pool is the way to do it then.
 * @throws DicomReadError when the header is damaged or too large
 */
export async function makeHeaderJson(
  source: ByteSource,
  { facts, options }: HeaderJsonRequest,
): Promise<Uint8Array<ArrayBuffer>> {
  return new TextEncoder().encode(await textFor(source, facts, options))
}

async function textFor(source: ByteSource, facts: FileFacts, options: HeaderJsonOptions): Promise<string> {
  if (options.kind === 'model') return modelText(source, facts, options.address, options.correction)
  const beginning = await readUpToPixels((bytes) => source.read(0, bytes), facts)
  const { header } = beginning
  if (options.kind === 'fields') {
    const { withholdsFormer } = options
    const behind = withholdsFormer ? await readBehindStored(source, beginning, true) : undefined
    return JSON.stringify(listFields(header, options.edits, options.fields, { withholdsFormer, behind }))
  }
  const behind = await readBehindStored(source, beginning, options.listing.withholdsFormer)
  return JSON.stringify(listAttributes(header, options.edits, options.listing, behind))
}

async function modelText(
  source: ByteSource,
  facts: FileFacts,
  address: string,
  correction: Correction | undefined,
): Promise<string> {
  const beginning = await readAsSent(source, facts, correction)
  const { header } = beginning
  const { dataSet, pixelElement } = header
  const bulkData = (path: string) => `${address}/bulkdata/${path}`
  const options = { maxInlineBytes, bulkDataUri: ({ path }: BulkDataValue) => bulkData(path) }
  const texts = dataSetToJsonTexts(dataSet, options)
  if (pixelElement) {
    const hex = tagToHex(pixelElement.tag)
    const vr = vrOfPixels(pixelElement)
    texts.set(hex, JSON.stringify(pixelElement.length === 0 ? { vr } : { vr, BulkDataURI: bulkData(hex) }))
    const behind = await readBehind(beginning)
    if (behind) for (const [tag, text] of dataSetToJsonTexts(behind.dataSet, options)) texts.set(tag, text)
  } else if (facts.pixelOffset !== null) {
    // too much stands in front of them to look
    texts.set('7FE00010', JSON.stringify({ vr: 'OW', BulkDataURI: bulkData('7FE00010') }))
  }
  texts.set('00083002', JSON.stringify({ vr: 'UI', Value: [facts.transferSyntax] }))
  dropUselessSpacing(texts)
  return joinJsonTexts(new Map([...texts].sort(([one], [other]) => (one < other ? -1 : 1))))
}

/** The elements behind the pixels of the file as it leaves. */
async function readBehind({ header, behind, ...beginning }: OutgoingBeginning): Promise<Behind | undefined> {
  if (behind) return { bytes: behind, dataSet: walkBehindPixels(behind, header.dataSet) }
  return readBehindStored(beginning.outgoing, { header, ...beginning })
}

/**
 * The elements behind the pixels of a file; of a damaged one none.
 * @param isToKnow of a damaged one that is an error: nobody knows what stands there
 */
async function readBehindStored(
  file: ByteSource,
  { bytes: beginning, header }: FileBeginning,
  isToKnow = false,
): Promise<Behind | undefined> {
  const { pixelElement } = header
  if (!pixelElement) return undefined
  try {
    const isDeflated = transferSyntaxOf(header.transferSyntax).isDeflated
    const source = isDeflated ? memorySource(readDataSet(beginning, { inflate }).dataSet.source.bytes) : file
    const bytes = await readBytesBehind(source, pixelElement)
    if (bytes) return { bytes, dataSet: walkBehindPixels(bytes, header.dataSet) }
    if (isToKnow) throw new DicomReadError('malformed', 'What stands behind the pixels cannot be read')
    return undefined
  } catch (error) {
    if (error instanceof DicomReadError && !isToKnow) return undefined
    throw error
  }
}

/** As written; encapsulated pixels are OB, others OW where the file does not say (PS3.5 §A.4). */
function vrOfPixels({ tag, vr, length }: ElementHeader): string {
  if (length === UNDEFINED_LENGTH) return 'OB'
  if (vr === 'OB' || vr === 'OW' || vr === 'OF' || vr === 'OD') return vr
  return vrOfTag(tag) ?? 'OW'
}

/** The file as it leaves; `behind` where what stands behind its pixels leaves otherwise than `outgoing` has it. */
type OutgoingBeginning = FileBeginning & { outgoing: ByteSource; behind?: Uint8Array }

/**
 * The header of the file as it leaves: corrected, with the old values kept in it.
 * @throws DicomReadError when it cannot be corrected, too
 */
async function readAsSent(
  source: ByteSource,
  facts: FileFacts,
  correction: Correction | undefined,
): Promise<OutgoingBeginning> {
  const spliced = correction && (await splice(source, facts, correction))
  if (!spliced?.isChanged) {
    const beginning = await readModelled((bytes) => source.read(0, bytes), facts.length, firstBytesOf(facts))
    return { ...beginning, outgoing: source }
  }
  const { prefix, tailOffset, behind } = spliced
  const size = prefix.length + facts.length - tailOffset
  const shift = tailOffset - prefix.length
  const read = async (offset: number, length: number) =>
    offset >= prefix.length
      ? source.read(offset + shift, length)
      : concatBytes([
          prefix.subarray(offset, offset + length),
          await source.read(tailOffset, Math.max(0, offset + length - prefix.length)),
        ])
  const beginning = await readModelled((bytes) => read(0, bytes), size, prefix.length + pixelHeaderBytes)
  return { ...beginning, outgoing: { size, read }, ...(behind ? { behind } : {}) }
}

async function splice(source: ByteSource, facts: FileFacts, correction: Correction) {
  const beginning = await readUpToPixels((count) => source.read(0, count), facts)
  const { bytes, header } = beginning
  const isDeflated = transferSyntaxOf(header.transferSyntax).isDeflated
  const stored = isDeflated ? undefined : await readBehindStored(source, beginning, correction.withholdsFormer)
  const spliced = correctFile(bytes, header, correction, { behind: stored?.bytes })
  return { ...spliced, behind: stored && spliced.isChanged ? spliced.behindPixels(stored.bytes) : undefined }
}

/** A pixel spacing of zero blackens viewers that divide by it; without one they show the image unscaled. */
function dropUselessSpacing(texts: Map<string, string>): void {
  for (const tag of ['00280030', '00181164']) {
    const { Value: values } = JSON.parse(texts.get(tag) ?? '{}') as { Value?: unknown[] }
    if (values?.some((value) => !(typeof value === 'number' && value > 0))) texts.delete(tag)
  }
}
