import { pixelElements } from '@hilum/dicom/synthetic/study'
import { Tag } from '@hilum/dicom/tags'
import { type WriteElement, writePart10 } from '@hilum/dicom/write-part10'
import type { Member, StorageFixture } from './storage-fixture.ts'

export type MadeImage = {
  studyUid: string
  number: number
  series?: number
  patientName?: string
  patientId?: string
  birthDate?: string
  sex?: string
  frames?: number
  sopClassUid?: string
  transferSyntax?: string
  more?: readonly WriteElement[]
  /** An object without a picture. */
  hasNoPixels?: boolean
}

const SIZE = 16

/** A small grey image whose UIDs follow from its study and number. */
export function madeImage(image: MadeImage): Uint8Array {
  const { studyUid, number, series = 1, frames = 1 } = image
  const replaced = new Set(image.more?.map((element) => element.tag))
  const pixels = new Uint8Array(SIZE * SIZE * frames).map((_, index) => (index * 7 + number) % 256)
  const elements: WriteElement[] = [
    { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 192' },
    { tag: Tag.SOPClassUID, vr: 'UI', value: image.sopClassUid ?? '1.2.840.10008.5.1.4.1.1.7' },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: `${studyUid}.${series}.${number}` },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: `${studyUid}.${series}` },
    { tag: Tag.StudyDate, vr: 'DA', value: '20260102' },
    { tag: Tag.Modality, vr: 'CS', value: 'OT' },
    { tag: Tag.PatientName, vr: 'PN', value: image.patientName ?? 'Made^Up' },
    { tag: Tag.PatientID, vr: 'LO', value: image.patientId ?? 'M1' },
    { tag: Tag.PatientBirthDate, vr: 'DA', value: image.birthDate ?? '19700101' },
    { tag: Tag.PatientSex, vr: 'CS', value: image.sex ?? 'F' },
    { tag: Tag.SeriesNumber, vr: 'IS', value: String(series) },
    { tag: Tag.InstanceNumber, vr: 'IS', value: String(number) },
    { tag: Tag.NumberOfFrames, vr: 'IS', value: String(frames) },
    ...(image.hasNoPixels ? [] : pixelElements({ rows: SIZE, columns: SIZE }, pixels)),
  ]
  return writePart10(
    [...elements.filter((element) => !replaced.has(element.tag)), ...(image.more ?? [])],
    image.transferSyntax,
  )
}

/** Sends an image as a member; gives the status and the answer. */
export async function uploadImage(
  storage: StorageFixture,
  member: Member,
  bytes: Uint8Array,
): Promise<{ status: number; body: Record<string, string> & { kind?: { readable_status: string } } }> {
  const address = `${storage.base}/namespace/${member.namespace}/image?sid=${member.sid}`
  const reply = await fetch(address, { method: 'POST', body: new Uint8Array(bytes) })
  return { status: reply.status, body: (await reply.json()) as never }
}
