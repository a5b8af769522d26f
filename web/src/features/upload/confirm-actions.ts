import { maxUploadStudies, studyUploadRetracted } from '@hilum/contract/calls/study-retract'
import { maxUploadPeople, studyUploadPeople } from '@hilum/contract/calls/study-mrn'
import { callApi } from '../../api/call-api.ts'
import { type AskedPatient, listQuestions } from './held-mrns.ts'
import { commonMrn, type MrnRow } from './mrn-rules.ts'
import { typeExam } from './other-files-actions.ts'
import { retractedKey } from './retracted-rules.ts'
import { narrowPlan, type PlannedPatient } from './upload-plan.ts'
import { planOf, type UploadState, useUpload } from './upload-store.ts'

const { getState: read, setState: put } = useUpload

/** Types an MRN for one patient; that of a form goes back into the form. */
export function typeMrn(key: string, mrn: string): void {
  if (read().search.kind === 'other') return typeExam('patientMRN', mrn)
  put(({ mrns }) => ({ mrns: { ...mrns, [key]: mrn } }))
}

/** Types the MRN of all who are one patient. */
export function typeCommonMrn(mrn: string): void {
  put(({ onePatient }) => (onePatient ? { onePatient: { ...onePatient, mrn } } : {}))
}

/** "These are one patient" (design §6): one MRN for exactly these. Taken back, each has what stood in its own field. */
export function setOnePatient(rows: readonly MrnRow[], isOnePatient: boolean): void {
  const { mrns } = read()
  const mrn = commonMrn(rows, { mrns, onePatient: undefined })
  put({ onePatient: isOnePatient ? { keys: rows.map((row) => row.key), mrn } : undefined })
}

/** Says yes to a clash, or takes that back. */
export function answerClash(id: string, isYes: boolean): void {
  put(({ answers }) => {
    const next = new Set(answers)
    if (isYes) next.add(id)
    else next.delete(id)
    return { answers: next }
  })
}

function listPatients({
  search,
  selected,
  leftOut,
}: Pick<UploadState, 'search' | 'selected' | 'leftOut'>): PlannedPatient[] {
  const plan = planOf(search)
  return plan ? narrowPlan(plan, selected, leftOut).patients : []
}

/** Questions to the destination about the patients as they stand. */
export function questionsOf(state: UploadState): AskedPatient[] {
  return state.destination ? listQuestions(state.destination.namespaceId, listPatients(state), state) : []
}

/** Asks about everybody who was found, whether chosen or not, so that the select step marks clashes. */
export function askAboutFound(): Promise<boolean> {
  const plan = planOf(read().search)
  return plan ? askAboutPeople(false, plan.patients) : Promise.resolve(true)
}

/**
 * Asks the destination who else holds the MRNs, and which studies were taken back from there.
 * @param isAgain ask also what was answered before: just before the upload that may be an hour old
 * @param patients those to ask about; without them the chosen ones
 * @returns false when the server could not be asked
 */
export async function askAboutPeople(isAgain = false, patients = listPatients(read())): Promise<boolean> {
  const { destination, held } = read()
  if (!destination) return true
  const { namespaceId } = destination
  const questions = listQuestions(namespaceId, patients, read()).filter(({ id }) => isAgain || !held.has(id))
  const uids = patients.flatMap(({ studies }) => studies.map(({ studyUid }) => studyUid))
  put({ peopleCheck: 'asking' })
  try {
    await askAboutRetracted(namespaceId, uids, isAgain)
    for (let at = 0; at < questions.length; at += maxUploadPeople) {
      const asked = questions.slice(at, at + maxUploadPeople)
      const people = asked.map(presentQuestion)
      const reply = await callApi(studyUploadPeople, { namespace_id: namespaceId, people })
      const answers = asked.flatMap(({ id }, k) => {
        const answer = reply.people[k]
        return answer ? [[id, answer] as const] : []
      })
      put((state) => ({ held: new Map([...state.held, ...answers]) }))
    }
    put({ peopleCheck: 'done' })
    return true
  } catch {
    put({ peopleCheck: 'failed' })
    return false // The step says so, and nothing is uploaded before it was asked.
  }
}

async function askAboutRetracted(namespaceId: string, studyUids: string[], isAgain: boolean): Promise<void> {
  const uids = studyUids.filter((uid) => isAgain || !read().retracted.has(retractedKey(namespaceId, uid)))
  for (let at = 0; at < uids.length; at += maxUploadStudies) {
    const asked = uids.slice(at, at + maxUploadStudies)
    const { studies } = await callApi(studyUploadRetracted, { namespace_id: namespaceId, study_uids: asked })
    const answers = asked.map((uid) => {
      const found = studies.find((one) => one.study_uid === uid)
      return [retractedKey(namespaceId, uid), found ?? null] as const
    })
    put((state) => ({ retracted: new Map([...state.retracted, ...answers]) }))
  }
}

/** The studies that the confirm step shows. */
export function studyUidsOf(state: UploadState): string[] {
  return listPatients(state).flatMap(({ studies }) => studies.map(({ studyUid }) => studyUid))
}

function presentQuestion({ row, mrn, isTyped }: AskedPatient) {
  return {
    patient_name: row.name,
    patient_birth_date: row.birthDate,
    patient_sex: row.sex,
    patientid: mrn,
    ...(isTyped ? {} : { issuer: row.issuer }),
    study_uids: row.studies.map((study) => study.studyUid),
  }
}
