import { type AttributeListing, listAttributes, listFields } from '../attribute-list.ts'
import { dataSetToJsonTexts, joinJsonTexts } from '../json.ts'
import { cannotBeCorrected, type Correction, correctFile } from '../node/correct-file.ts'
import {
  type FileBeginning,
  type FileFacts,
  firstBytesOf,
  readModelled,
  readUpToPixels,
} from '../node/read-beginning.ts'
import type { ElementEdit } from '../splice.ts'
import { concatBytes } from '../write-part10.ts'
import type { ByteSource } from './byte-source.ts'

/** What is to be said of an image, from its header. */
export type HeaderJsonWish =
  /** The DICOM JSON model, of the file as it leaves. `address` is where the instance lives. */
  | { kind: 'model'; address: string; correction: Correction | undefined }
  /** Its top-level attributes as a list. */
  | { kind: 'attributes'; edits: readonly ElementEdit[]; listing: AttributeListing }
  /** Some values by name. */
  | { kind: 'fields'; edits: readonly ElementEdit[]; fields: readonly (readonly [name: string, tag: number])[] }

export type HeaderJsonRequest = { facts: FileFacts; wish: HeaderJsonWish }

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
  { facts, wish }: HeaderJsonRequest,
): Promise<Uint8Array<ArrayBuffer>> {
  return new TextEncoder().encode(await textFor(source, facts, wish))
}

async function textFor(source: ByteSource, facts: FileFacts, wish: HeaderJsonWish): Promise<string> {
  if (wish.kind === 'model') return modelText(source, facts, wish.address, wish.correction)
  const { header } = await readUpToPixels((bytes) => source.read(0, bytes), facts)
  return JSON.stringify(
    wish.kind === 'attributes'
      ? listAttributes(header, wish.edits, wish.listing)
      : listFields(header, wish.edits, wish.fields),
  )
}

async function modelText(
  source: ByteSource,
  facts: FileFacts,
  address: string,
  correction: Correction | undefined,
): Promise<string> {
  const { header } = await readAsItLeaves(source, facts, correction)
  const bulkData = (path: string) => `${address}/bulkdata/${path}`
  const texts = dataSetToJsonTexts(header.dataSet, { maxInlineBytes, bulkDataUri: ({ path }) => bulkData(path) })
  if (facts.pixelOffset !== null) texts.set('7FE00010', JSON.stringify({ vr: 'OW', BulkDataURI: bulkData('7FE00010') }))
  texts.set('00083002', JSON.stringify({ vr: 'UI', Value: [facts.transferSyntax] }))
  dropUselessSpacing(texts)
  return joinJsonTexts(new Map([...texts].sort(([one], [other]) => (one < other ? -1 : 1))))
}

/** The header of the file as it leaves: corrected where that is possible, with the old values kept in it. */
async function readAsItLeaves(
  source: ByteSource,
  facts: FileFacts,
  correction: Correction | undefined,
): Promise<FileBeginning> {
  const spliced = correction && (await splice(source, facts, correction))
  if (!spliced || spliced.applied.length === 0)
    return readModelled((bytes) => source.read(0, bytes), facts.length, firstBytesOf(facts))
  const { prefix, tailOffset } = spliced
  const read = async (bytes: number) =>
    bytes <= prefix.length
      ? prefix.subarray(0, bytes)
      : concatBytes([prefix, await source.read(tailOffset, bytes - prefix.length)])
  return readModelled(read, prefix.length + facts.length - tailOffset, prefix.length + pixelHeaderBytes)
}

async function splice(source: ByteSource, facts: FileFacts, correction: Correction) {
  try {
    const { bytes, header } = await readUpToPixels((count) => source.read(0, count), facts)
    return correctFile(bytes, header, correction)
  } catch (error) {
    if (cannotBeCorrected(error)) return undefined
    throw error
  }
}

/** A pixel spacing of zero blackens viewers that divide by it; without one they show the image unscaled. */
function dropUselessSpacing(texts: Map<string, string>): void {
  for (const tag of ['00280030', '00181164']) {
    const { Value: values } = JSON.parse(texts.get(tag) ?? '{}') as { Value?: unknown[] }
    if (values?.some((value) => !(typeof value === 'number' && value > 0))) texts.delete(tag)
  }
}
