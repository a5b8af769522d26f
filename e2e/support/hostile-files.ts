import { deflate } from '@hilum/dicom/node/inflate'
import { Tag } from '@hilum/dicom/tags'
import { DeflatedLittleEndian, ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { type WriteElement, writeMeta, writePart10 } from '@hilum/dicom/write-part10'

/** A file, and what it says that it is. */
export interface MadeFile {
  bytes: Buffer
  /** Where the data set begins. */
  dataSetAt: number
  sopClass: string
  studyUid: string
  seriesUid: string
  sopUid: string
  transferSyntax: string
}

const SOP_CLASS = '1.2.840.10008.5.1.4.1.1.7'
const SIZE = 65_535

/** A file of the usual names, with more behind them: elements, then bytes as they are. */
export function makeFile(
  more: readonly WriteElement[] = [],
  { transferSyntax = ExplicitLittleEndian, raw = [] }: { transferSyntax?: string; raw?: readonly Uint8Array[] } = {},
): MadeFile {
  const [studyUid, seriesUid, sopUid] = [newUid(), newUid(), newUid()]
  const elements: WriteElement[] = [
    { tag: Tag.SOPClassUID, vr: 'UI', value: SOP_CLASS },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: sopUid },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: seriesUid },
    { tag: Tag.Modality, vr: 'CS', value: 'OT' },
    { tag: Tag.PatientName, vr: 'PN', value: 'Hostile^File' },
    { tag: Tag.PatientID, vr: 'LO', value: 'HOSTILE' },
    ...more,
  ]
  const head = writeMeta(SOP_CLASS, sopUid, transferSyntax)
  const plainHead = writeMeta(SOP_CLASS, sopUid, ExplicitLittleEndian).length
  const dataSet = Buffer.concat([writePart10(elements).subarray(plainHead), ...raw])
  const isDeflated = transferSyntax === DeflatedLittleEndian
  const bytes = Buffer.concat([head, isDeflated ? deflate(dataSet) : dataSet])
  return { bytes, dataSetAt: head.length, sopClass: SOP_CLASS, studyUid, seriesUid, sopUid, transferSyntax }
}

/** An image that claims 65,535 times 65,535 pixels. @param codestream compressed pixels, else some native ones */
export function makeHugeClaim(transferSyntax: string, codestream?: Uint8Array): MadeFile {
  const us = (tag: number, value: number): WriteElement => ({ tag, vr: 'US', value })
  const shape = [
    us(Tag.SamplesPerPixel, 3),
    { tag: Tag.PhotometricInterpretation, vr: 'CS', value: 'RGB' },
    us(Tag.PlanarConfiguration, 0),
    us(Tag.Rows, SIZE),
    us(Tag.Columns, SIZE),
    us(Tag.BitsAllocated, 16),
    us(Tag.BitsStored, 16),
    us(Tag.HighBit, 15),
    us(Tag.PixelRepresentation, 0),
  ]
  if (!codestream) return makeFile([...shape, { tag: Tag.PixelData, vr: 'OW', value: new Uint8Array(64) }])
  const raw = [
    element('e07f1000', 'OB', 0xffffffff),
    item(0),
    item(codestream.length),
    codestream,
    Buffer.from('feffdde000000000', 'hex'),
  ]
  // the header lies low, so that the codestream's own claim is what is looked at
  const small = shape.map((one) => (one.tag === Tag.Rows || one.tag === Tag.Columns ? us(one.tag, 64) : one))
  return makeFile(small, { transferSyntax, raw })
}

/** The beginnings of compressed images that claim 65,535 times 65,535 pixels, by their transfer syntax. */
export const hugeCodestreams: Record<string, Uint8Array> = {
  // JPEG: SOI, SOF0 with three components of 8 bits, SOS
  '1.2.840.10008.1.2.4.50': Buffer.from(
    'ffd8ffc0001108ffffffff03011100021100031100ffda000c03010002000300003f00ffd9',
    'hex',
  ),
  // JPEG-LS: SOI, SOF55 with one component of 16 bits, SOS
  '1.2.840.10008.1.2.4.80': Buffer.from('ffd8fff7000b10ffffffff01011100ffda0008010100000000ffd9', 'hex'),
  // JPEG 2000: SOC, SIZ of 2^32-1 by 2^32-1 in one tile, one component
  '1.2.840.10008.1.2.4.90': Buffer.from(
    'ff4fff5100290000ffffffffffffffff0000000000000000ffffffffffffffff000000000000000000010f0101ff93ffd9',
    'hex',
  ),
}

/** A data set that is small as it is sent and inflates to so many bytes of one private value. */
export function makeDeflateBomb(inflatedBytes: number): MadeFile {
  const raw = [element('09001010', 'UN', inflatedBytes), Buffer.alloc(inflatedBytes)]
  return makeFile([{ tag: 0x00090010, vr: 'LO', value: 'HILUM TEST' }], { transferSyntax: DeflatedLittleEndian, raw })
}

/** A data set that is small as it is sent and holds so many empty items. */
export function makeItemBomb(items: number): MadeFile {
  const raw = [element('400030a7', 'SQ', items * 8), Buffer.alloc(items * 8, item(0))]
  return makeFile([], { transferSyntax: DeflatedLittleEndian, raw })
}

/** Sequences inside sequences. */
export function makeNested(depth: number): MadeFile {
  const level = Buffer.concat([element('400030a7', 'SQ', 0xffffffff), Buffer.from('feff00e0ffffffff', 'hex')])
  const ends = Buffer.from('feff0de000000000feffdde000000000', 'hex')
  return makeFile([], { raw: [Buffer.alloc(level.length * depth, level), Buffer.alloc(ends.length * depth, ends)] })
}

/** A value that claims to be longer than what follows. */
export function makeLengthLie(claimedBytes: number): MadeFile {
  return makeFile([], { raw: [element('e07f1000', 'OW', claimedBytes), Buffer.alloc(1_000)] })
}

/** The header of an element of long form; the tag as it lies in the file, in hex. */
function element(tag: string, vr: string, length: number): Buffer {
  const head = Buffer.from(`${tag}${Buffer.from(vr).toString('hex')}000000000000`, 'hex')
  head.writeUInt32LE(length, 8)
  return head
}

function item(length: number): Buffer {
  const head = Buffer.from('feff00e000000000', 'hex')
  head.writeUInt32LE(length, 4)
  return head
}
