import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pixelElements } from '@hilum/dicom/synthetic/study'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { writePart10 } from '@hilum/dicom/write-part10'
import { makeFolder, type PickFolder } from './corpus.ts'

/** One image of a made disc; whatever is not named is new or empty. */
export interface DiscImage {
  name: string
  mrn?: string
  issuer?: string
  birthDate?: string
  sex?: string
  studyUid?: string
  sopUid?: string
  description?: string
  /** Number of the series of the study, 1 without it. */
  series?: number
  /** Fills the pixels. */
  grey?: number
  /** Rows and columns, 64 without it. */
  side?: number
}

/** A folder with one secondary capture for each image, named IM1, IM2 … */
export function makeDisc(...images: readonly DiscImage[]): PickFolder {
  const folder = makeFolder()
  for (const [at, image] of images.entries()) writeFileSync(join(folder.path, `IM${at + 1}`), makeImage(image))
  return folder
}

/** A secondary capture with UIDs of its own. */
export function makeImage(image: DiscImage): Uint8Array {
  const studyUid = image.studyUid ?? newUid()
  const { side = 64, series = 1 } = image
  return writePart10([
    { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 192' },
    { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: image.sopUid ?? newUid() },
    { tag: Tag.StudyDate, vr: 'DA', value: '20260302' },
    { tag: Tag.Modality, vr: 'CS', value: 'OT' },
    { tag: Tag.StudyDescription, vr: 'LO', value: image.description ?? 'Right patient' },
    { tag: Tag.PatientName, vr: 'PN', value: image.name },
    { tag: Tag.PatientID, vr: 'LO', value: image.mrn ?? '' },
    { tag: Tag.IssuerOfPatientID, vr: 'LO', value: image.issuer ?? '' },
    { tag: Tag.PatientBirthDate, vr: 'DA', value: image.birthDate ?? '' },
    { tag: Tag.PatientSex, vr: 'CS', value: image.sex ?? '' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: `${studyUid}.${series}`.slice(0, 64) },
    { tag: Tag.SeriesNumber, vr: 'IS', value: String(series) },
    { tag: Tag.InstanceNumber, vr: 'IS', value: '1' },
    ...pixelElements({ rows: side, columns: side }, new Uint8Array(side * side).fill(image.grey ?? 90)),
  ])
}
