import { createHash } from 'node:crypto'
import { EncapsulatedPdfStorage, SecondaryCaptureStorage, VlPhotographicStorage } from './wrapped-classes.ts'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { concatBytes, encodeElements, type WriteElement, writeMeta } from '@hilum/dicom/write-part10'
import type { PdfPage } from '../document/pdf-page.ts'
import type { PicturePixels } from './picture-pixels.ts'

const explicitLittle = { isExplicit: true, isLittleEndian: true }
const JpegBaseline = '1.2.840.10008.1.2.4.50'

/** A DICOM object around a file: its header, then the file's own bytes or pixels, then what ends it. */
export type WrappedObject = {
  before: Uint8Array
  holds: 'file' | Uint8Array
  after: Uint8Array
  sopInstanceUid: string
  modality: string
}

/** The context that all objects made from one form share. */
export type WrapContext = {
  /** The key from which the series, and with it the images, get their UIDs. */
  seriesKey: string
  studyUid: string
  uidRoot: string | undefined
  /** Patient, exam, and what else the form said. */
  said: ReadonlyMap<number, WriteElement>
  /** SHA-256 of the file, in hex: the same file in the same study is the same object. */
  sha256: string
}

/** A picture as VL Photographic (modality XC) or Secondary Capture. Source: PS3.3 A.32.4, A.8.1. */
export function wrapPicture(
  context: WrapContext,
  picture: PicturePixels,
  file: { length: number },
  page: number,
): WrappedObject {
  const isPhoto = context.said.get(Tag.Modality)?.value === 'XC'
  const { rows, columns, samples, bits, photometric, pixels } = picture
  const isJpeg = pixels.kind === 'jpeg'
  const sopClass = isPhoto ? VlPhotographicStorage : SecondaryCaptureStorage
  const ratio = (rows * columns * samples) / Math.max(1, file.length)
  const own: WriteElement[] = [
    ...(isPhoto
      ? [
          { tag: 0x00080008, vr: 'CS', value: 'ORIGINAL\\PRIMARY' },
          { tag: 0x00400555, vr: 'SQ', value: [] },
        ]
      : [{ tag: 0x00080064, vr: 'CS', value: 'WSD' }]),
    ...pixelModule({ rows, columns, samples, bits, photometric }),
    { tag: Tag.LossyImageCompression, vr: 'CS', value: isJpeg ? '01' : '00' },
    ...(isJpeg
      ? [
          { tag: 0x00282112, vr: 'DS', value: ratio.toFixed(2) },
          { tag: 0x00282114, vr: 'CS', value: 'ISO_10918_1' },
        ]
      : []),
  ]
  const made = headerOf(context, isPhoto ? 'photo' : 'capture', sopClass, isPhoto ? 'XC' : 'OT', page, own, isJpeg)
  if (!isJpeg) {
    const header = longHeader(0x7fe00010, bits > 8 ? 'OW' : 'OB', pixels.bytes.length)
    const after = new Uint8Array(pixels.bytes.length % 2)
    return { ...made, before: concatBytes([made.before, header]), holds: pixels.bytes, after }
  }
  const fragments = Buffer.alloc(16)
  fragments.writeUInt32LE(0xe000fffe, 0)
  fragments.writeUInt32LE(0xe000fffe, 8)
  fragments.writeUInt32LE(file.length + (file.length % 2), 12)
  const end = Buffer.alloc(8 + (file.length % 2))
  end.writeUInt32LE(0xe0ddfffe, file.length % 2)
  const header = longHeader(0x7fe00010, 'OB', 0xffffffff)
  return { ...made, before: concatBytes([made.before, header, fragments]), holds: 'file', after: end }
}

/** A page of a document as Secondary Capture, with the distance of its pixels on paper. Source: PS3.3 A.8.1, C.8.6.2. */
export function wrapPage(context: WrapContext, page: PdfPage, number: number): WrappedObject {
  const { rows, columns, samples, pixels, spacingMm } = page
  const spacing = spacingMm.toFixed(6)
  const own: WriteElement[] = [
    { tag: 0x00080064, vr: 'CS', value: 'WSD' },
    { tag: 0x00182010, vr: 'DS', value: `${spacing}\\${spacing}` },
    { tag: Tag.BurnedInAnnotation, vr: 'CS', value: 'YES' },
    ...pixelModule({ rows, columns, samples, bits: 8, photometric: samples === 1 ? 'MONOCHROME2' : 'RGB' }),
    { tag: Tag.LossyImageCompression, vr: 'CS', value: '00' },
  ]
  const made = headerOf(context, 'page', SecondaryCaptureStorage, 'OT', number, own, false)
  const header = longHeader(0x7fe00010, 'OB', pixels.length + (pixels.length % 2))
  return {
    ...made,
    before: concatBytes([made.before, header]),
    holds: pixels,
    after: new Uint8Array(pixels.length % 2),
  }
}

/** Source: PS3.3 C.7.6.3. */
function pixelModule({ rows, columns, samples, bits, photometric }: Omit<PicturePixels, 'pixels'>): WriteElement[] {
  return [
    { tag: Tag.SamplesPerPixel, vr: 'US', value: samples },
    { tag: Tag.PhotometricInterpretation, vr: 'CS', value: photometric },
    ...(samples === 3 ? [{ tag: Tag.PlanarConfiguration, vr: 'US', value: 0 }] : []),
    { tag: Tag.Rows, vr: 'US', value: rows },
    { tag: Tag.Columns, vr: 'US', value: columns },
    { tag: Tag.BitsAllocated, vr: 'US', value: bits },
    { tag: Tag.BitsStored, vr: 'US', value: bits },
    { tag: Tag.HighBit, vr: 'US', value: bits - 1 },
    { tag: Tag.PixelRepresentation, vr: 'US', value: 0 },
  ]
}

/** A PDF as Encapsulated PDF. Source: PS3.3 A.45.1. */
export function wrapPdf(context: WrapContext, file: { length: number; name: string }): WrappedObject {
  const title = file.name.replace(/\.pdf$/i, '').slice(0, 64)
  const own: WriteElement[] = [
    { tag: 0x00080064, vr: 'CS', value: 'WSD' },
    { tag: 0x0008002a, vr: 'DT', value: '' },
    { tag: Tag.BurnedInAnnotation, vr: 'CS', value: 'YES' },
    { tag: Tag.ConceptNameCodeSequence, vr: 'SQ', value: [] },
    { tag: 0x00420010, vr: 'ST', value: title },
  ]
  const made = headerOf(context, 'document', EncapsulatedPdfStorage, 'DOC', 0, own, false)
  const padded = file.length + (file.length % 2)
  const behind = encodeElements(
    [
      { tag: Tag.MIMETypeOfEncapsulatedDocument, vr: 'LO', value: 'application/pdf' },
      { tag: 0x00420015, vr: 'UL', value: file.length },
    ],
    explicitLittle,
  )
  return {
    ...made,
    before: concatBytes([made.before, longHeader(Tag.EncapsulatedDocument, 'OB', padded)]),
    holds: 'file',
    after: concatBytes([new Uint8Array(padded - file.length), behind]),
  }
}

function headerOf(
  context: WrapContext,
  kind: 'photo' | 'capture' | 'document' | 'page',
  sopClass: string,
  modality: string,
  page: number,
  own: readonly WriteElement[],
  isJpeg: boolean,
): Pick<WrappedObject, 'before' | 'sopInstanceUid' | 'modality'> {
  const { seriesKey, studyUid, uidRoot, said, sha256 } = context
  const seriesUid = uidOf(`${seriesKey}/${kind}`, uidRoot)
  const sopInstanceUid = uidOf(`${seriesUid}/${sha256}/${page}`, uidRoot)
  const value = (tag: number) => String(said.get(tag)?.value ?? '')
  const ownModality = kind === 'capture' ? value(Tag.Modality) || modality : modality
  const elements = new Map<number, WriteElement>(
    [
      { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 192' },
      { tag: Tag.SOPClassUID, vr: 'UI', value: sopClass },
      { tag: Tag.SOPInstanceUID, vr: 'UI', value: sopInstanceUid },
      { tag: Tag.StudyDate, vr: 'DA', value: '' },
      { tag: Tag.StudyTime, vr: 'TM', value: '' },
      { tag: Tag.ContentDate, vr: 'DA', value: value(Tag.StudyDate) },
      { tag: Tag.ContentTime, vr: 'TM', value: value(Tag.StudyTime) },
      { tag: Tag.AccessionNumber, vr: 'SH', value: '' },
      { tag: Tag.ReferringPhysicianName, vr: 'PN', value: '' },
      { tag: Tag.PatientName, vr: 'PN', value: '' },
      { tag: Tag.PatientID, vr: 'LO', value: '' },
      { tag: Tag.PatientBirthDate, vr: 'DA', value: '' },
      { tag: Tag.PatientSex, vr: 'CS', value: '' },
      { tag: Tag.StudyID, vr: 'SH', value: '' },
      { tag: Tag.SeriesNumber, vr: 'IS', value: seriesNumbers[kind] },
      { tag: Tag.InstanceNumber, vr: 'IS', value: String(page + 1) },
      { tag: Tag.Manufacturer, vr: 'LO', value: '' },
      ...said.values(),
      { tag: Tag.Modality, vr: 'CS', value: ownModality },
      { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
      { tag: Tag.SeriesInstanceUID, vr: 'UI', value: seriesUid },
      ...own,
    ].map((element): [number, WriteElement] => [element.tag, element]),
  )
  const before = concatBytes([
    writeMeta(sopClass, sopInstanceUid, isJpeg ? JpegBaseline : ExplicitLittleEndian),
    encodeElements([...elements.values()], explicitLittle),
  ])
  return { before, sopInstanceUid, modality: ownModality }
}

/** Behind the numbers that scanners give. */
const seriesNumbers = { photo: '9001', capture: '9002', document: '9003', page: '9004' }

function longHeader(tag: number, vr: string, length: number): Uint8Array {
  const header = Buffer.alloc(12)
  header.writeUInt16LE(tag >>> 16, 0)
  header.writeUInt16LE(tag & 0xffff, 2)
  header.write(vr, 4, 'latin1')
  header.writeUInt32LE(length, 8)
  return header
}

/** A UID that the same text gives again: 128 bits of its SHA-256 under the organisation's root or 2.25. */
function uidOf(text: string, root: string | undefined): string {
  const number = BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 32)}`)
  return root ? `${root}.${String(number).slice(0, 63 - root.length)}` : `2.25.${number}`
}
