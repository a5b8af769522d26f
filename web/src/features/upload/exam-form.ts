import { findValueFault } from '@hilum/dicom/value-rules'
import { type DateFormat, readTypedDate } from '../../format/dates.ts'
import type { PatientIdentity } from './upload-plan.ts'

/** ENTITY-21: patient and exam of files that are no DICOM, as they are typed. */
export interface ExamForm {
  firstName: string
  middleName: string
  lastName: string
  patientDOB: string
  patientMRN: string
  patientGender: '' | 'female' | 'male' | 'other'
  studyDate: string
  /** HH:MM, 24 hours */
  studyTime: string
  studyDescription: string
}
export type ExamField = keyof ExamForm

/** Fields in the order in which they stand. */
export const examFields = [
  'lastName',
  'firstName',
  'middleName',
  'patientDOB',
  'patientGender',
  'patientMRN',
  'studyDate',
  'studyTime',
  'studyDescription',
] as const satisfies readonly ExamField[]

/** UPLOAD-19…21 */
export const requiredFields: ReadonlySet<ExamField> = new Set([
  'lastName',
  'firstName',
  'patientDOB',
  'patientGender',
  'patientMRN',
  'studyDate',
])

export const emptyExam: ExamForm = {
  firstName: '',
  middleName: '',
  lastName: '',
  patientDOB: '',
  patientMRN: '',
  patientGender: '',
  studyDate: '',
  studyTime: '',
  studyDescription: '',
}

/** DICOM's code of a gender. Source: PS3.3 C.2.3. */
const sexes = { '': '', female: 'F', male: 'M', other: 'O' } as const

/** Names of the messages, below `upload.form.fault.` in the catalogue. */
type ExamFault = 'missing' | 'dateFormat' | 'invalid' | 'birthAhead' | 'studyAhead' | 'beforeBirth' | 'time'
type ExamFaults = Partial<Record<ExamField, ExamFault>>

/** How dates are typed and which day is the last one that may be. */
interface FormTerms {
  dateFormat: DateFormat
  /** YYYYMMDD */
  today: string
}

/** Faults of a form by field (UPLOAD-18…23). */
export function findExamFaults(exam: ExamForm, terms: FormTerms): ExamFaults {
  const found: Record<ExamField, ExamFault | undefined> = {
    lastName: nameFault(exam, 'lastName'),
    firstName: nameFault(exam, 'firstName'),
    middleName: nameFault(exam, 'middleName'),
    patientDOB: dayFault(exam.patientDOB, terms, 'birthAhead'),
    patientGender: undefined,
    patientMRN: textFault(exam.patientMRN, 'LO'),
    studyDate: dayFault(exam.studyDate, terms, 'studyAhead') ?? orderFault(exam, terms),
    studyTime: /^(([01]\d|2[0-3]):[0-5]\d)?$/.test(exam.studyTime.trim()) ? undefined : 'time',
    studyDescription: textFault(exam.studyDescription, 'LO'),
  }
  const faults: ExamFaults = {}
  for (const field of examFields) {
    const fault = requiredFields.has(field) && exam[field].trim() === '' ? 'missing' : found[field]
    if (fault) faults[field] = fault
  }
  return faults
}

/** The form after a field was typed in. A date of birth later than the date of the study takes that along (UPLOAD-17). */
export function typeInto(exam: ExamForm, field: ExamField, value: string, { dateFormat }: FormTerms): ExamForm {
  const next: ExamForm = { ...exam, [field]: value }
  if (field !== 'patientDOB') return next
  const [born, studied] = [dayOf(next.patientDOB, dateFormat), dayOf(next.studyDate, dateFormat)]
  return born !== '' && studied !== '' && born > studied ? { ...next, studyDate: next.patientDOB } : next
}

/** The patient of a form in DICOM's words; fields that cannot be read are empty. */
export function patientOf(exam: ExamForm, dateFormat: DateFormat): PatientIdentity {
  return {
    name: personName(exam),
    mrn: exam.patientMRN,
    issuer: '',
    birthDate: dayOf(exam.patientDOB, dateFormat),
    sex: sexes[exam.patientGender],
  }
}

/** Date and time of the study in DICOM's words. */
export function studyMomentOf(exam: ExamForm, dateFormat: DateFormat): { date: string; time: string } {
  const time = exam.studyTime.trim().replace(':', '')
  return { date: dayOf(exam.studyDate, dateFormat), time: time && `${time}00` }
}

/** `LAST^FIRST^MIDDLE` without carets that carry nothing. */
const personName = ({ lastName, firstName, middleName }: ExamForm) =>
  [lastName, firstName, middleName]
    .map((part) => part.trim())
    .join('^')
    .replace(/\^+$/, '')

/** YYYYMMDD, or empty for what is no day. */
function dayOf(typed: string, format: DateFormat): string {
  const read = readTypedDate(typed, format)
  return typeof read === 'object' ? read.day : ''
}

function dayFault(typed: string, { dateFormat, today }: FormTerms, ahead: 'birthAhead' | 'studyAhead') {
  const read = readTypedDate(typed, dateFormat)
  if (read === 'shape') return 'dateFormat'
  if (read === 'no-day') return 'invalid'
  return read.day > today ? ahead : undefined
}

function orderFault({ patientDOB, studyDate }: ExamForm, { dateFormat }: FormTerms) {
  const [born, studied] = [dayOf(patientDOB, dateFormat), dayOf(studyDate, dateFormat)]
  return born !== '' && studied < born ? 'beforeBirth' : undefined
}

/** Carets and equals signs divide a name in DICOM; all parts together have 64 characters (PS3.5 §6.2, VR PN). */
function nameFault(exam: ExamForm, field: 'lastName' | 'firstName' | 'middleName') {
  if (/[\^=\\]/.test(exam[field])) return 'invalid'
  const isWhole = field === 'lastName' || findValueFault(exam[field].trim(), 'PN') !== undefined
  return isWhole ? textFault(personName(exam), 'PN') : undefined
}

const textFault = (text: string, vr: string) => (findValueFault(text.trim(), vr) ? 'invalid' : undefined)
