import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { QueryClass } from '@hilum/dicom/dimse/query'
import { type Peer, requestAssociation } from '@hilum/dicom/dimse/request-association'
import { formatStatus, kindOfStatus } from '@hilum/dicom/dimse/status'
import { cleanText } from '@hilum/dicom/clean-text'
import { hasUnreadCharacter } from '@hilum/dicom/text'
import type { DataSet } from '@hilum/dicom/data-set'
import { normaliseDate, normaliseTime } from '@hilum/dicom/dates'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { findDeclaredText, findNumber, findText, findTexts } from '@hilum/dicom/values'
import type { WriteElement } from '@hilum/dicom/write-part10'
import { overAssociation } from './ended-association.ts'
import { findByName, pattern } from './find-by-name.ts'

/** The criteria that studies are searched by; empty texts match everything. Dates as YYYYMMDD, both inclusive. */
export interface StudyCriteria {
  patientName: string
  patientId: string
  accessionNumber: string
  description: string
  modality: string
  firstDate: string
  lastDate: string
  studyUid?: string
}

/** A study as a peer describes it. */
export interface FoundStudy {
  study_uid: string
  patient_name: string
  /** The name is not in the character set that the peer names: shown, and not written. */
  is_name_unread?: true
  patient_birth_date: string
  patient_sex: string
  patientid: string
  issuer: string
  accession_number: string
  study_date: string
  study_time: string
  modality: string
  study_description: string
  referring_physician: string
  source_ae: string
  image_count: number | null
}

interface FoundStudies {
  /** Each description once: a peer that holds one study under two patients gives two of it. */
  studies: FoundStudy[]
  isCut: boolean
  /** An answer came without a Study Instance UID, which may be about any study. */
  hasUnnamed: boolean
}

const limits = { negotiationMs: 15_000, idleMs: 60_000, stallMs: 30_000 }

/**
 * Searches a DICOM node for studies (Study Root C-FIND). Answers that fit no criterion are left out: some peers pass over
 * keys that they do not know, and answer with everything.
 * @throws DimseError with the reason in words
 */
export async function findStudies(
  peer: Peer,
  criteria: StudyCriteria,
  { maxStudies, signal }: { maxStudies: number; signal: AbortSignal },
): Promise<FoundStudies> {
  const syntaxes = [ExplicitLittleEndian, ImplicitLittleEndian]
  const proposal = { abstractSyntax: QueryClass.StudyFind, transferSyntaxes: syntaxes }
  const association = await requestAssociation(peer, [proposal], { limits, signal })
  const found = new Map<string, FoundStudy>()
  let hasUnnamed = false
  const { status, comment, isCut } = await overAssociation(association, () =>
    findByName(association, QueryClass.StudyFind, criteria.patientName, keysOf(criteria), (answer) => {
      const study = readStudy(answer, peer.calledTitle)
      if (!study) hasUnnamed = true
      else if (fits(study, criteria)) found.set(JSON.stringify(study), study)
      return found.size > maxStudies ? 'enough' : 'more'
    }),
  )
  if (kindOfStatus(status) !== 'success') {
    const words = `The peer answered ${formatStatus(status)}${comment ? `: ${comment}` : ''}`
    throw new DimseError('aborted', words)
  }
  return { studies: [...found.values()].slice(0, maxStudies), isCut: isCut || found.size > maxStudies, hasUnnamed }
}

function keysOf(criteria: StudyCriteria): (nameKey: string) => WriteElement[] {
  const { firstDate, lastDate, studyUid = '' } = criteria
  const dates = firstDate || lastDate ? (firstDate === lastDate ? firstDate : `${firstDate}-${lastDate}`) : ''
  const asked = (nameKey: string): WriteElement[] => [
    { tag: Tag.QueryRetrieveLevel, vr: 'CS', value: 'STUDY' },
    { tag: Tag.PatientName, vr: 'PN', value: nameKey },
    { tag: Tag.PatientID, vr: 'LO', value: criteria.patientId },
    { tag: Tag.AccessionNumber, vr: 'SH', value: criteria.accessionNumber },
    { tag: Tag.StudyDescription, vr: 'LO', value: pattern(criteria.description) },
    { tag: Tag.ModalitiesInStudy, vr: 'CS', value: criteria.modality },
    { tag: Tag.StudyDate, vr: 'DA', value: dates },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
  ]
  const answered: [number, string][] = [
    [Tag.StudyTime, 'TM'],
    [Tag.PatientBirthDate, 'DA'],
    [Tag.PatientSex, 'CS'],
    [Tag.IssuerOfPatientID, 'LO'],
    [Tag.ReferringPhysicianName, 'PN'],
    [Tag.RetrieveAETitle, 'AE'],
    [Tag.NumberOfStudyRelatedInstances, 'IS'],
  ]
  return (nameKey) => [...asked(nameKey), ...answered.map(([tag, vr]) => ({ tag, vr, value: '' }))]
}

function readStudy(answer: DataSet, calledTitle: string): FoundStudy | undefined {
  const text = (tag: number) => cleanText(findText(answer, tag) ?? '')
  const studyUid = text(Tag.StudyInstanceUID)
  if (studyUid === '') return undefined
  const modalities = findTexts(answer, Tag.ModalitiesInStudy).filter((one) => one !== '')
  const count = findNumber(answer, Tag.NumberOfStudyRelatedInstances)
  return {
    study_uid: studyUid,
    patient_name: text(Tag.PatientName),
    ...(hasUnreadCharacter(findDeclaredText(answer, Tag.PatientName) ?? '') ? { is_name_unread: true } : {}),
    patient_birth_date: normaliseDate(text(Tag.PatientBirthDate)),
    patient_sex: text(Tag.PatientSex),
    patientid: text(Tag.PatientID),
    issuer: text(Tag.IssuerOfPatientID),
    accession_number: text(Tag.AccessionNumber),
    study_date: normaliseDate(text(Tag.StudyDate)),
    study_time: normaliseTime(text(Tag.StudyTime)),
    modality: [...new Set(modalities)].join(',') || text(Tag.Modality),
    study_description: text(Tag.StudyDescription),
    referring_physician: text(Tag.ReferringPhysicianName),
    source_ae: text(Tag.RetrieveAETitle).split('\\')[0] || calledTitle,
    image_count: count !== undefined && count >= 0 ? count : null,
  }
}

/** Only values that the peer told count against an answer. */
export function fits(
  study: Pick<FoundStudy, 'study_uid' | 'patientid' | 'accession_number' | 'study_date' | 'modality'>,
  { patientId, accessionNumber, modality, firstDate, lastDate, studyUid = '' }: StudyCriteria,
): boolean {
  const isSame = (asked: string, answered: string) =>
    asked === '' ||
    answered === '' ||
    /[*?]/.test(asked) ||
    asked.trim().toLowerCase() === answered.trim().toLowerCase()
  const { study_date: date } = study
  return (
    (studyUid === '' || study.study_uid === studyUid) &&
    isSame(patientId, study.patientid) &&
    isSame(accessionNumber, study.accession_number) &&
    (modality === '' || study.modality === '' || study.modality.split(',').includes(modality)) &&
    (firstDate === '' || date === '' || date >= firstDate) &&
    (lastDate === '' || date === '' || date <= lastDate)
  )
}
