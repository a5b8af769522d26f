import { cutToLength } from '@hilum/dicom/clean-text'
import { indexInstance } from '@hilum/dicom/instance-index'
import type { DicomHeader } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { findText } from '@hilum/dicom/values'

/** Patient and exam as an image gives them and a study record shows them. Dates are YYYYMMDD. */
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

/** The facts of one instance that the index keeps. */
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
      description: cutToLength(index.seriesDescription),
      series_date: cutToLength(index.seriesDate),
      series_time: cutToLength(index.seriesTime),
      body_part: cutToLength(index.bodyPart),
    },
    demographics: {
      patient_name: cutToLength(index.patientName),
      patientid: cutToLength(index.patientId),
      issuer: cutToLength(index.patientIdIssuer),
      patient_birth_date: cutToLength(index.patientBirthDate),
      patient_sex: cutToLength(index.patientSex),
      accession_number: cutToLength(index.accessionNumber),
      study_description: cutToLength(index.studyDescription),
      study_date: cutToLength(index.studyDate),
      study_time: cutToLength(index.studyTime),
      referring_physician: cutToLength(index.referringPhysician),
    },
  }
}

function columnInteger(number: number | undefined): number | null {
  return number !== undefined && Number.isInteger(number) && Math.abs(number) <= MAX_INTEGER ? number : null
}
