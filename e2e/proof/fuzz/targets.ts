import { anonymizeFile } from '@hilum/dicom/anonymize'
import { EndCheck } from '@hilum/dicom/end-check'
import { decodeAnswer, decodeRequest } from '@hilum/dicom/dimse/association-pdu'
import { decodeCommand } from '@hilum/dicom/dimse/command'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { indexInstance } from '@hilum/dicom/instance-index'
import { type DicomJson, dataSetToJson } from '@hilum/dicom/json'
import { deflate, inflate } from '@hilum/dicom/node/inflate'
import { type DicomHeader, readDataSet, readHeader } from '@hilum/dicom/read'
import { DicomReadError } from '@hilum/dicom/read-error'
import { memorySource } from '@hilum/dicom/render/byte-source'
import { decodeFrame } from '@hilum/dicom/render/decode'
import { readFrame } from '@hilum/dicom/render/frames'
import { describeImage } from '@hilum/dicom/render/image-description'
import { readImageHeader } from '@hilum/dicom/render/image-header'
import { RenderError } from '@hilum/dicom/render/render-error'
import { toScreen } from '@hilum/dicom/render/to-rgb'
import { spliceFile } from '@hilum/dicom/splice'
import { Tag } from '@hilum/dicom/tags'
import { findText } from '@hilum/dicom/values'
import { MultipartError, readMultipart } from '@hilum/server/inbound/read-multipart'

/** Something that reads bytes of strangers. */
export interface Target {
  name: string
  /** Of the time. */
  share: number
  /** Throws when the bytes were neither read nor refused with one of `refusals`, or read wrongly. */
  read: (bytes: Uint8Array) => Promise<void> | void
  refusals: readonly (abstract new (...parameters: never[]) => Error)[]
}

/** Drawing is not what is tried here: small frames show all that the code does. */
const MAX_FRAME_BYTES = 1024 * 1024

export const targets: readonly Target[] = [
  { name: 'file', share: 0.4, read: readFile, refusals: [DicomReadError] },
  { name: 'correction', share: 0.15, read: correct, refusals: [DicomReadError, RangeError] },
  { name: 'anonymized', share: 0.1, read: anonymize, refusals: [DicomReadError] },
  { name: 'picture', share: 0.2, read: draw, refusals: [RenderError] },
  { name: 'association', share: 0.1, read: associate, refusals: [DimseError] },
  { name: 'multipart', share: 0.05, read: takeApart, refusals: [MultipartError] },
]

/** A file as it arrives: whole, and in a first piece with a stream behind it, which must come to the same. */
function readFile(bytes: Uint8Array): void {
  const first = bytes.subarray(0, Math.max(256, bytes.length >>> 1))
  const begun = orRefusal(() => readHeader(first, { size: bytes.length, inflate }))
  const whole = readHeader(bytes, { inflate })
  if (whole.kind !== 'header') throw new Error('A whole file was asked for more')
  indexInstance(whole.header)
  JSON.stringify(dataSetToJson(readDataSet(bytes, { inflate }).dataSet))
  followEnd(whole.header, bytes)
  if (begun instanceof DicomReadError || first.length === bytes.length) return
  if (begun.kind === 'need-more') {
    if (begun.atLeastBytes <= first.length || begun.atLeastBytes > bytes.length)
      throw new Error(`Asked for ${begun.atLeastBytes} of ${bytes.length} bytes and had ${first.length}`)
    return
  }
  const names = (header: DicomHeader) => [header.studyUid, header.seriesUid, header.sopInstanceUid, header.sopClassUid]
  const [early, late] = [names(begun.header).join(), names(whole.header).join()]
  if (early !== late) throw new Error(`Named ${early} from its beginning and ${late} as a whole`)
}

/** A file that was read to its end has one; in whatever pieces it comes. */
function followEnd(header: DicomHeader, bytes: Uint8Array): void {
  const check = new EndCheck(header)
  for (let at = 0; at < bytes.length; at += 777) check.push(bytes.subarray(at, at + 777))
  check.finish()
}

/** A corrected file can be read again, has the new name and is otherwise the same instance. */
function correct(bytes: Uint8Array): void {
  const { header } = readWhole(bytes)
  const old = findText(header.dataSet, Tag.PatientName) ?? ''
  const edits = [{ tag: Tag.PatientName, old, new: 'Corrected^Name' }]
  const context = { modifyingSystem: 'Fuzz', modifiedAt: '20260101000000+0000', reason: 'CORRECT' as const }
  const { prefix, tailOffset, applied } = spliceFile(bytes, header, edits, { ...context, inflate, deflate })
  const leaving = Buffer.concat([prefix, bytes.subarray(tailOffset)])
  const again = orRefusal(() => readWhole(leaving).header)
  if (again instanceof DicomReadError) throw new Error(`A corrected file cannot be read: ${again.message}`)
  if (again.sopInstanceUid !== header.sopInstanceUid || again.studyUid !== header.studyUid)
    throw new Error('A correction changed which instance it is')
  if (applied.length > 0 && findText(again.dataSet, Tag.PatientName) !== 'Corrected^Name')
    throw new Error('A correction was not there when the file was read again')
}

/** A copy without its name says the new one on every level, and nothing of what was left out. */
function anonymize(bytes: Uint8Array): void {
  const { header } = readWhole(bytes)
  const changes = new Map([
    [Tag.PatientName, { vr: 'PN', value: 'Nobody^Here' }],
    [Tag.PatientID, { vr: 'LO', value: undefined }],
  ])
  const { prefix, pixelOffset } = anonymizeFile(bytes, header, { changes, edits: [] }, { inflate, deflate })
  const leaving = Buffer.concat([prefix, bytes.subarray(pixelOffset ?? bytes.length)])
  const again = orRefusal(() => readWhole(leaving).header)
  if (again instanceof DicomReadError) throw new Error(`An anonymized file cannot be read: ${again.message}`)
  if (again.sopInstanceUid !== header.sopInstanceUid || again.studyUid !== header.studyUid)
    throw new Error('Anonymizing changed which instance it is')
  const told = new Set(everyTag(dataSetToJson(again.dataSet)))
  if (told.has('00100020') || told.has('04000561')) throw new Error('What was left out is there')
  if (findText(again.dataSet, Tag.PatientName) !== 'Nobody^Here') throw new Error('The name was not replaced')
}

/** The tags of a data set and of all sequences within it. */
function* everyTag(dataSet: DicomJson): Generator<string> {
  for (const [tag, { vr, Value }] of Object.entries(dataSet)) {
    yield tag
    if (vr === 'SQ') for (const item of Value ?? []) yield* everyTag(item as DicomJson) // as PS3.18 §F.2.2 says
  }
}

function readWhole(bytes: Uint8Array): { header: DicomHeader } {
  const read = readHeader(bytes, { inflate, untilPixelData: true })
  if (read.kind !== 'header') throw new Error('A whole file was asked for more')
  return read
}

async function draw(bytes: Uint8Array): Promise<void> {
  const header = await readImageHeader(memorySource(bytes))
  const image = describeImage(header, MAX_FRAME_BYTES)
  const frame = await readFrame(header, image.frameCount - 1, image)
  // compressed frames go to codecs of others, in a thread that may end
  const isOurs = image.coding === 'native' || image.coding === 'rle' || image.coding === 'deflatedFrames'
  if (!isOurs) return
  toScreen(
    await decodeFrame(frame, image, { maxFrameBytes: MAX_FRAME_BYTES }),
    header.attributes,
    image.frameCount - 1,
    {
      withOverlays: true,
    },
  )
}

/** The first byte says as what the rest is read. */
function associate(bytes: Uint8Array): void {
  const body = Buffer.from(bytes.subarray(1))
  const readers = [decodeRequest, decodeAnswer, decodeCommand]
  readers[(bytes[0] ?? 0) % readers.length]?.(body)
}

async function takeApart(bytes: Uint8Array): Promise<void> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 37) yield bytes.subarray(at, at + 37)
  }
  let taken = 0
  for await (const part of readMultipart(pieces(), 'x')) {
    for await (const chunk of part.body) taken += chunk.length
  }
  if (taken > bytes.length) throw new Error('The parts are longer than the whole')
}

function orRefusal<Value>(work: () => Value): Value | DicomReadError {
  try {
    return work()
  } catch (error) {
    if (error instanceof DicomReadError) return error
    throw error
  }
}
