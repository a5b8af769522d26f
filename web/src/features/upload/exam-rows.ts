import { nameText } from '../../format/person-name.ts'
import { isMixed, type PlannedPatient, type PlannedStudy } from './upload-plan.ts'

/** Files of a study at the destination: there already, different, not yet compared, of all. */
export interface HereCount {
  have: number
  conflict: number
  open: number
  of: number
}

/**
 * A found study beside what the destination has:
 * - mixed: its files name several patients; other: here already, of a different patient; retracted: taken back from here;
 * - conflict: here, with other content; comparing: not known yet; here, partly, new: all, some or none of it is here.
 */
export type ExamStatus = 'mixed' | 'other' | 'retracted' | 'conflict' | 'comparing' | 'here' | 'partly' | 'new'

/** The destination's answers about patients and studies, in words. */
export interface ExamMarks {
  /** Of patients by key: whether somebody different has the MRN, or somebody who may be the same; with sentences. */
  patients: ReadonlyMap<string, { isDifferent: boolean; sentences: readonly string[] }>
  /** Of studies by UID. */
  studies: ReadonlyMap<string, { status: 'other' | 'retracted'; sentence: string }>
}

/** A choice of studies by their status. */
export type ExamKind = 'all' | 'look' | 'here' | 'new'

/** Rows of the select step, from the top. Only those in view are drawn. */
export type ExamRow = { key: string } & (
  | { kind: 'patient'; patient: PlannedPatient; studies: readonly PlannedStudy[]; isFolded: boolean }
  | { kind: 'study'; patient: PlannedPatient; study: PlannedStudy; isOpen: boolean }
  | { kind: 'note'; tone: 'failed' | 'priority'; texts: readonly string[] }
  | { kind: 'series'; study: PlannedStudy }
)

/** So many patients stand open when they are found; of more, each is folded into one row. */
const mostOpenPatients = 10

export function examStatusOf(study: PlannedStudy, here: HereCount | undefined, marks: ExamMarks): ExamStatus {
  if (isMixed(study)) return 'mixed'
  const marked = marks.studies.get(study.studyUid)
  if (marked) return marked.status
  if (!here) return 'new'
  if (here.open > 0) return 'comparing'
  if (here.conflict > 0) return 'conflict'
  if (here.have === here.of) return 'here'
  return here.have > 0 ? 'partly' : 'new'
}

/** The choice that a study falls under, beside all. */
export function kindOf(status: ExamStatus, isPatientMarked: boolean): Exclude<ExamKind, 'all'> {
  if (isPatientMarked || ['mixed', 'other', 'retracted', 'conflict'].includes(status)) return 'look'
  return status === 'here' ? 'here' : 'new'
}

/**
 * Patients with those of their studies that have all of the words: in the patient's name or MRN, or in the study's
 * description, accession number or modality.
 */
export function findExamsBy(
  patients: readonly PlannedPatient[],
  words: string,
  isOfKind: (patient: PlannedPatient, study: PlannedStudy) => boolean,
): { patient: PlannedPatient; studies: readonly PlannedStudy[] }[] {
  const wanted = fold(words).split(' ').filter(Boolean)
  return patients.flatMap((patient) => {
    const own = fold([nameText(patient.name), patient.mrn].join(' '))
    const open = wanted.filter((word) => !own.includes(word))
    const studies = patient.studies.filter((study) => {
      if (!isOfKind(patient, study)) return false
      if (open.length === 0) return true
      const text = fold([study.description, study.accessionNumber, ...study.modalities].join(' '))
      return open.every((word) => text.includes(word))
    })
    return studies.length > 0 ? [{ patient, studies }] : []
  })
}

/** Letters and digits without case, accents and signs. */
const fold = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

interface RowTerms {
  marks: ExamMarks
  /** Patients that the person folded or opened, by key. */
  folded: ReadonlyMap<string, boolean>
  /** Studies whose series are shown. */
  open: ReadonlySet<string>
  /** Warnings about the files of a study. */
  warningsOf: (study: PlannedStudy) => readonly string[]
}

export function listExamRows(
  found: readonly { patient: PlannedPatient; studies: readonly PlannedStudy[] }[],
  { marks, folded, open, warningsOf }: RowTerms,
): ExamRow[] {
  return found.flatMap(({ patient, studies }): ExamRow[] => {
    const { key } = patient
    const mark = marks.patients.get(key)
    const isMarked = mark !== undefined || studies.some(({ studyUid }) => marks.studies.has(studyUid))
    const isFolded = folded.get(key) ?? (found.length > mostOpenPatients && !isMarked)
    const head: ExamRow = { kind: 'patient', key: `patient ${key}`, patient, studies, isFolded }
    if (isFolded) return [head]
    const tone = mark?.isDifferent ? 'failed' : 'priority'
    const notes: ExamRow[] = mark ? [{ kind: 'note', key: `mark ${key}`, tone, texts: mark.sentences }] : []
    return [head, ...notes, ...studies.flatMap((study) => listStudyRows(patient, study))]
  })

  function listStudyRows(patient: PlannedPatient, study: PlannedStudy): ExamRow[] {
    const { studyUid } = study
    const marked = marks.studies.get(studyUid)
    const texts = [...(marked ? [marked.sentence] : []), ...warningsOf(study)]
    const isOpen = open.has(studyUid)
    const tone = marked?.status === 'other' ? 'failed' : 'priority'
    return [
      { kind: 'study', key: `study ${studyUid}`, patient, study, isOpen },
      ...(texts.length > 0 ? [{ kind: 'note' as const, key: `note ${studyUid}`, tone: tone as 'failed', texts }] : []),
      ...(isOpen ? [{ kind: 'series' as const, key: `series ${studyUid}`, study }] : []),
    ]
  }
}
