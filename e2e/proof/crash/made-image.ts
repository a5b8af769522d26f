import { createHash } from 'node:crypto'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { writeMeta, writePart10 } from '@hilum/dicom/write-part10'
import type { Random } from '../fuzz/mutate.ts'

export const SOP_CLASS = '1.2.840.10008.5.1.4.1.1.7'
const MAX_PIXEL_BYTES = 1_500_000

export interface MadeImage {
  studyUid: string
  sopUid: string
  bytes: Uint8Array
  /** Behind group 0002, as C-STORE sends it; what is stored then has the same group 0002 as `bytes`. */
  dataSet: Uint8Array
  sha256: string
}

/** An image of noise, of any size from a few KB to a megabyte and a half, small ones more often. */
export function makeImage(
  studyUid: string,
  seriesUid: string,
  number: number,
  random: Random,
  sopUid = newUid(),
): MadeImage {
  const pixels = new Uint8Array(2 * Math.ceil(1000 + (random() ** 3 * MAX_PIXEL_BYTES) / 2))
  for (let at = 0; at < pixels.length; at += 61) pixels[at] = random() * 256
  const bytes = writePart10([
    { tag: Tag.SOPClassUID, vr: 'UI', value: SOP_CLASS },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: sopUid },
    { tag: Tag.Modality, vr: 'CS', value: 'OT' },
    { tag: Tag.PatientName, vr: 'PN', value: 'Crash^Run' },
    { tag: Tag.PatientID, vr: 'LO', value: 'K1' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: seriesUid },
    { tag: Tag.InstanceNumber, vr: 'IS', value: String(number) },
    { tag: Tag.PixelData, vr: 'OB', value: pixels },
  ])
  const dataSet = bytes.subarray(writeMeta(SOP_CLASS, sopUid, ExplicitLittleEndian).length)
  return { studyUid, sopUid, bytes, dataSet, sha256: sha256Of(bytes) }
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The version that the server gives bytes: the first 128 bits of their SHA-256, as a uuid. */
export function versionOf(sha256: string): string {
  return sha256.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
