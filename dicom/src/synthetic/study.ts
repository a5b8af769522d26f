import { Tag } from '../tags.ts'
import type { WriteElement } from '../write-part10.ts'
import { uidFrom } from './random.ts'

/** One made-up file; `path` is relative, with slashes. */
export type SyntheticFile = { path: string; bytes: Uint8Array }

type SyntheticPatient = { name: string; id: string; issuer: string; birthDate: string; sex: string }

/** The description of a made-up study. The same seed gives the same UIDs and pixels. */
export type SyntheticStudy = {
  seed: string
  /** Root of the UIDs; without one they are 2.25 and a number. */
  uidRoot?: string
  /** Folder that the files' paths begin with. */
  folder: string
  patient: SyntheticPatient
  date: string
  time: string
  accessionNumber: string
  description: string
  referringPhysician: string
}

export type SyntheticSeries = { number: number; description: string; modality: string; sopClassUid: string }

/** Attributes of patient, study, series and instance that every made-up file has. */
export function commonElements(study: SyntheticStudy, series: SyntheticSeries, instance: number): WriteElement[] {
  const { patient } = study
  const uid = (part: string) => uidFrom(`${study.seed}/${part}`, study.uidRoot)
  return [
    { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 192' },
    { tag: Tag.SOPClassUID, vr: 'UI', value: series.sopClassUid },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: uid(`${series.number}/${instance}`) },
    { tag: Tag.StudyDate, vr: 'DA', value: study.date },
    { tag: Tag.SeriesDate, vr: 'DA', value: study.date },
    { tag: Tag.ContentDate, vr: 'DA', value: study.date },
    { tag: Tag.StudyTime, vr: 'TM', value: study.time },
    { tag: Tag.SeriesTime, vr: 'TM', value: study.time },
    { tag: Tag.ContentTime, vr: 'TM', value: study.time },
    { tag: Tag.AccessionNumber, vr: 'SH', value: study.accessionNumber },
    { tag: Tag.Modality, vr: 'CS', value: series.modality },
    { tag: Tag.Manufacturer, vr: 'LO', value: 'Hilum synthetic' },
    { tag: Tag.InstitutionName, vr: 'LO', value: 'Northside Imaging' },
    { tag: Tag.ReferringPhysicianName, vr: 'PN', value: study.referringPhysician },
    { tag: Tag.StudyDescription, vr: 'LO', value: study.description },
    { tag: Tag.SeriesDescription, vr: 'LO', value: series.description },
    { tag: Tag.PatientName, vr: 'PN', value: patient.name },
    { tag: Tag.PatientID, vr: 'LO', value: patient.id },
    { tag: Tag.IssuerOfPatientID, vr: 'LO', value: patient.issuer },
    { tag: Tag.PatientBirthDate, vr: 'DA', value: patient.birthDate },
    { tag: Tag.PatientSex, vr: 'CS', value: patient.sex },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: uid('study') },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: uid(String(series.number)) },
    { tag: Tag.StudyID, vr: 'SH', value: '1' },
    { tag: Tag.SeriesNumber, vr: 'IS', value: String(series.number) },
    { tag: Tag.InstanceNumber, vr: 'IS', value: String(instance) },
    { tag: Tag.BurnedInAnnotation, vr: 'CS', value: 'NO' },
  ]
}

type PixelFormat = {
  rows: number
  columns: number
  bitsAllocated?: 8 | 16
  bitsStored?: number
  isSigned?: boolean
  samplesPerPixel?: 1 | 3
  photometric?: string
}

/** Pixels and what describes them (PS3.3 C.7.6.3): unsigned grey of 8 bits, where the format says nothing else. */
export function pixelElements(format: PixelFormat, pixels: Uint8Array): WriteElement[] {
  const { rows, columns, bitsAllocated = 8, bitsStored = bitsAllocated, isSigned = false, samplesPerPixel = 1 } = format
  const photometric = format.photometric ?? (samplesPerPixel === 3 ? 'RGB' : 'MONOCHROME2')
  return [
    { tag: Tag.SamplesPerPixel, vr: 'US', value: samplesPerPixel },
    { tag: Tag.PhotometricInterpretation, vr: 'CS', value: photometric },
    ...(samplesPerPixel === 3 ? [{ tag: Tag.PlanarConfiguration, vr: 'US', value: 0 }] : []),
    { tag: Tag.Rows, vr: 'US', value: rows },
    { tag: Tag.Columns, vr: 'US', value: columns },
    { tag: Tag.BitsAllocated, vr: 'US', value: bitsAllocated },
    { tag: Tag.BitsStored, vr: 'US', value: bitsStored },
    { tag: Tag.HighBit, vr: 'US', value: bitsStored - 1 },
    { tag: Tag.PixelRepresentation, vr: 'US', value: isSigned ? 1 : 0 },
    { tag: Tag.PixelData, vr: bitsAllocated === 8 ? 'OB' : 'OW', value: pixels },
  ]
}

/** Where a slice lies in the patient, in millimetres (PS3.3 C.7.6.2). */
type SlicePlane = {
  frameOfReference: string
  position: readonly number[]
  orientation: readonly number[]
  spacing: number
  thickness: number
}

export function planeElements(plane: SlicePlane): WriteElement[] {
  return [
    { tag: Tag.SliceThickness, vr: 'DS', value: [plane.thickness] },
    { tag: Tag.ImagePositionPatient, vr: 'DS', value: plane.position },
    { tag: Tag.ImageOrientationPatient, vr: 'DS', value: plane.orientation },
    { tag: Tag.FrameOfReferenceUID, vr: 'UI', value: plane.frameOfReference },
    { tag: Tag.PositionReferenceIndicator, vr: 'LO', value: '' },
    { tag: Tag.PixelSpacing, vr: 'DS', value: [plane.spacing, plane.spacing] },
  ]
}

export function filePath(study: SyntheticStudy, series: number, instance: number): string {
  return `${study.folder}/SE${String(series).padStart(3, '0')}/IM${String(instance).padStart(4, '0')}.dcm`
}
