import type { OutputOf } from '@hilum/contract/call'
import type { studyUploadPeople } from '@hilum/contract/calls/study-mrn'
import type { MrnHolder, OtherPatientsStudy } from '@hilum/contract/entities/mrn-holder'
import { formatDate, writtenFormat } from '../../format/dates.ts'
import { mrnOf, type MrnEntries, type MrnRow } from './mrn-rules.ts'
import type { PlannedPatient } from './upload-plan.ts'

/** The destination's answers on patients and their MRNs, by question. */
export type HeldMrns = ReadonlyMap<string, OutputOf<typeof studyUploadPeople>['people'][number]>

/** A patient with the MRN that the upload would leave, as the destination is asked about. */
export interface AskedPatient {
  id: string
  row: PlannedPatient
  mrn: string
  isTyped: boolean
}

/** The questions of a confirm step: one for each patient, those without an MRN for their studies. */
export function listQuestions(
  namespaceId: string,
  rows: readonly PlannedPatient[],
  entries: MrnEntries,
): AskedPatient[] {
  return rows.map((row) => {
    const mrn = mrnOf(row, rows, entries)
    const studies = row.studies.map((study) => study.studyUid)
    return { id: JSON.stringify([namespaceId, row.key, mrn, studies]), row, mrn, isTyped: mrn !== row.mrn.trim() }
  })
}

/** Somebody at the destination who holds the MRN of a row. */
export interface HeldClash {
  id: string
  row: MrnRow
  holders: readonly MrnHolder[]
  isElsewhere: boolean
  /** Studies of the upload that are here under a different patient, with the exam as a person knows it. */
  records: readonly (OtherPatientsStudy & { exam: string })[]
  /** Others whom nobody names. */
  more: number
  /**
   * refused: the typed MRN is a different person's. Otherwise an answer is wanted: the images carry the number
   * themselves, or both may be one person.
   */
  isRefused: boolean
}

/** Clashes with people at the destination, as far as it was asked. */
export function findHeldClashes(questions: readonly AskedPatient[], held: HeldMrns): HeldClash[] {
  return questions.flatMap(({ id, row, isTyped }) => {
    const answer = held.get(id)
    if (!answer || (answer.holders.length === 0 && answer.elsewhere === 0 && answer.studies.length === 0)) return []
    const { holders, more } = answer
    const records = answer.studies.map((one) => ({ ...one, exam: examOf(row, one.study_uid) }))
    const seen = [
      ...holders.map((one) => [one.patient_name, one.patient_birth_date, one.patient_sex, one.verdict]),
      ...records.map((one) => [one.study_uid, one.patient_name, one.patient_birth_date, one.patient_sex]),
    ]
    return [
      {
        id: JSON.stringify([id, seen, answer.elsewhere, more]),
        row,
        holders,
        isElsewhere: answer.elsewhere === 1,
        records,
        more,
        isRefused: isTyped && holders.some((one) => one.verdict === 'different'),
      },
    ]
  })
}

function examOf(row: PlannedPatient, studyUid: string): string {
  const study = row.studies.find((one) => one.studyUid === studyUid)
  const words = [study?.description ?? '', formatDate(study?.date ?? '', writtenFormat) ?? '']
  return words.filter((word) => word !== '').join(', ') || studyUid
}
