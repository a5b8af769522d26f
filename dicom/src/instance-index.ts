import { cleanText } from './clean-text.ts'
import type { DataSet } from './data-set.ts'
import { normaliseDate, normaliseTime } from './dates.ts'
import type { DicomHeader } from './read.ts'
import { Tag } from './tags.ts'
import { findItems, findNumber, findText, findTexts } from './values.ts'

/**
 * Values of one instance that are listed, searched and compared: plain ones that can be posted between threads.
 * Texts are empty and numbers undefined where the file says nothing. Dates are YYYYMMDD (or YYYYMM, YYYY), times HHMMSS.
 */
export type InstanceIndex = {
  sopClassUid: string
  sopInstanceUid: string
  studyUid: string
  seriesUid: string
  transferSyntax: string
  charset: string
  /** As a PN value: `Family^Given=ideographic=phonetic`. */
  patientName: string
  patientId: string
  /** Issuer of the patient ID: its local name, else the universal identifier. */
  patientIdIssuer: string
  patientBirthDate: string
  /** M, F, O, or what the file has, in capitals. */
  patientSex: string
  accessionNumber: string
  studyDate: string
  studyTime: string
  studyDescription: string
  studyId: string
  referringPhysician: string
  institution: string
  timezoneOffset: string
  modality: string
  bodyPart: string
  seriesNumber: number | undefined
  seriesDescription: string
  seriesDate: string
  seriesTime: string
  instanceNumber: number | undefined
  rows: number | undefined
  columns: number | undefined
  /** Frames of the pixel data; 1 when the file has pixels and does not say. */
  frames: number | undefined
  samplesPerPixel: number | undefined
  bitsAllocated: number | undefined
  bitsStored: number | undefined
  isSigned: boolean
  photometricInterpretation: string
  pixelOffset: number | undefined
}

/** The index values of a header that was read. */
export function indexInstance(header: DicomHeader): InstanceIndex {
  const { dataSet } = header
  const text = (tag: number) => cleanText(findText(dataSet, tag) ?? '')
  const number = (tag: number) => findNumber(dataSet, tag)
  const rows = number(Tag.Rows)
  return {
    sopClassUid: header.sopClassUid,
    sopInstanceUid: header.sopInstanceUid,
    studyUid: header.studyUid,
    seriesUid: header.seriesUid,
    transferSyntax: header.transferSyntax,
    charset: dataSet.charset,
    patientName: text(Tag.PatientName),
    patientId: text(Tag.PatientID),
    patientIdIssuer: text(Tag.IssuerOfPatientID) || findUniversalIssuer(dataSet),
    patientBirthDate: normaliseDate(findText(dataSet, Tag.PatientBirthDate)),
    patientSex: text(Tag.PatientSex).toUpperCase(),
    accessionNumber: text(Tag.AccessionNumber),
    studyDate: normaliseDate(findText(dataSet, Tag.StudyDate)),
    studyTime: normaliseTime(findText(dataSet, Tag.StudyTime)),
    studyDescription: text(Tag.StudyDescription),
    studyId: text(Tag.StudyID),
    referringPhysician: text(Tag.ReferringPhysicianName),
    institution: text(Tag.InstitutionName),
    timezoneOffset: text(Tag.TimezoneOffsetFromUTC),
    modality: cleanText(findTexts(dataSet, Tag.Modality)[0] ?? '').toUpperCase(),
    bodyPart: text(Tag.BodyPartExamined),
    seriesNumber: integer(number(Tag.SeriesNumber)),
    seriesDescription: text(Tag.SeriesDescription),
    seriesDate: normaliseDate(findText(dataSet, Tag.SeriesDate)),
    seriesTime: normaliseTime(findText(dataSet, Tag.SeriesTime)),
    instanceNumber: integer(number(Tag.InstanceNumber)),
    rows,
    columns: number(Tag.Columns),
    frames: positive(integer(number(Tag.NumberOfFrames))) ?? (rows === undefined ? undefined : 1),
    samplesPerPixel: number(Tag.SamplesPerPixel),
    bitsAllocated: number(Tag.BitsAllocated),
    bitsStored: number(Tag.BitsStored),
    isSigned: number(Tag.PixelRepresentation) === 1,
    photometricInterpretation: text(Tag.PhotometricInterpretation),
    pixelOffset: header.pixelOffset,
  }
}

function findUniversalIssuer(dataSet: DataSet): string {
  const qualifiers = findItems(dataSet, Tag.IssuerOfPatientIDQualifiersSequence)[0]
  return qualifiers ? cleanText(findText(qualifiers, Tag.UniversalEntityID) ?? '') : ''
}

function integer(number: number | undefined): number | undefined {
  return number === undefined || !Number.isSafeInteger(Math.trunc(number)) ? undefined : Math.trunc(number)
}

function positive(number: number | undefined): number | undefined {
  return number !== undefined && number > 0 ? number : undefined
}
