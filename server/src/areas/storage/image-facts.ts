import { indexInstance } from '@hilum/dicom/instance-index'
import type { DicomHeader } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { findText } from '@hilum/dicom/values'

/** What a study record shows of the patient and the exam, as the image says it. Dates are YYYYMMDD. */
export type Demographics = {
  patient_name: string
  patientid: string
  issuer: string
  patient_birth_date: string
  patient_sex: string
  accession_number: string
  study_description: string
  study_date: string
  study_time: string
  referring_physician: string
}

/** What the index keeps of one instance. */
export type ImageFacts = {
  studyUid: string
  seriesUid: string
  sopUid: string
  sopClass: string
  /** The data set holds its SOP Class and SOP Instance UID itself; else they come from group 0002. */
  isNamedInside: boolean
  transferSyntax: string
  instanceNumber: number | null
  frames: number
  rows: number | null
  columns: number | null
  modality: string
  series: {
    series_number: number | null
    description: string
    series_date: string
    series_time: string
    body_part: string
  }
  demographics: Demographics
}

/** An entry of a B-tree index ends at 2,704 bytes; 512 characters fit in any script. The file keeps the whole value. */
const MAX_COLUMN_CHARS = 512
const MAX_INTEGER = 2 ** 31 - 1

export function factsOfHeader(header: DicomHeader): ImageFacts {
  const index = indexInstance(header)
  return {
    studyUid: index.studyUid,
    seriesUid: index.seriesUid,
    sopUid: index.sopInstanceUid,
    sopClass: index.sopClassUid,
    isNamedInside: [Tag.SOPClassUID, Tag.SOPInstanceUID].every((tag) => findText(header.dataSet, tag) !== undefined),
    transferSyntax: index.transferSyntax,
    instanceNumber: columnInteger(index.instanceNumber),
    frames: columnInteger(index.frames) ?? 1,
    rows: columnInteger(index.rows),
    columns: columnInteger(index.columns),
    modality: index.modality.slice(0, 16),
    series: {
      series_number: columnInteger(index.seriesNumber),
      description: columnText(index.seriesDescription),
      series_date: columnText(index.seriesDate),
      series_time: columnText(index.seriesTime),
      body_part: columnText(index.bodyPart),
    },
    demographics: {
      patient_name: columnText(index.patientName),
      patientid: columnText(index.patientId),
      issuer: columnText(index.patientIdIssuer),
      patient_birth_date: columnText(index.patientBirthDate),
      patient_sex: columnText(index.patientSex),
      accession_number: columnText(index.accessionNumber),
      study_description: columnText(index.studyDescription),
      study_date: columnText(index.studyDate),
      study_time: columnText(index.studyTime),
      referring_physician: columnText(index.referringPhysician),
    },
  }
}

/** Text that a column takes: not over-long, and no half of a surrogate pair. */
function columnText(text: string): string {
  return text.slice(0, MAX_COLUMN_CHARS).toWellFormed()
}

function columnInteger(number: number | undefined): number | null {
  return number !== undefined && Number.isInteger(number) && Math.abs(number) <= MAX_INTEGER ? number : null
}
