import type { PlannedPatient } from './upload-plan.ts'
import type { UploadState } from './upload-store.ts'

/** Names a study at a destination; also the answer of whoever uploads it nevertheless. */
export const retractedKey = (namespaceId: string, studyUid: string): string => `retracted ${namespaceId} ${studyUid}`

/** A study of the upload that its owner took back from the destination. */
export interface RetractedStudy {
  key: string
  studyUid: string
  patientName: string
  reason: string
  byName: string
  at: string
}

/** Studies that were taken back from the destination, as far as it was asked. */
export function findRetracted(
  patients: readonly PlannedPatient[],
  { destination, retracted }: Pick<UploadState, 'destination' | 'retracted'>,
): RetractedStudy[] {
  return patients.flatMap(({ name, studies }) =>
    studies.flatMap(({ studyUid }) => {
      const key = retractedKey(destination?.namespaceId ?? '', studyUid)
      const one = retracted.get(key)
      return one ? [{ key, studyUid, patientName: name, reason: one.reason, byName: one.by_name, at: one.at }] : []
    }),
  )
}
