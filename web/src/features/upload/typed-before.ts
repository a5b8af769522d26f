import { listInterrupted } from '../../session/stored-uploads.ts'
import { listNotes, weakDigestOf } from '../../session/upload-notes.ts'
import { readSession } from '../../session/session-store.ts'
import type { UploadJob } from './upload-job.ts'
import type { PlannedPatient } from './upload-plan.ts'

/** Digests of the UIDs of studies whose MRN was typed, of uploads of this page that have not come to their end. */
const typedHere = new Map<UploadJob, readonly string[]>()

/** Digests of the UIDs of the studies whose MRN the person typed: the MRN itself is stored nowhere. */
export function digestTyped({ studies }: UploadJob): string[] {
  return studies.filter(({ newMrn }) => newMrn !== undefined).map(({ study }) => weakDigestOf(study.studyUid))
}

/** Remembers the typed studies of an upload that begins. @returns the way to forget them */
export function rememberTyped(job: UploadJob): () => void {
  typedHere.set(job, digestTyped(job))
  return () => void typedHere.delete(job)
}

/** Keys of the patients for whom the person typed an MRN in an upload that broke off: it has to be typed again. */
export async function listTypedBefore(patients: readonly PlannedPatient[]): Promise<ReadonlySet<string>> {
  const session = readSession()
  const owner = session.status === 'established' ? session.session.user.uuid : undefined
  if (owner === undefined) return new Set()
  const broken = [...(await listInterrupted(owner)), ...listNotes(owner)]
  const typed = new Set([...broken.flatMap((one) => one.typed ?? []), ...[...typedHere.values()].flat()])
  const isTyped = ({ studies }: PlannedPatient) => studies.some(({ studyUid }) => typed.has(weakDigestOf(studyUid)))
  return new Set(typed.size === 0 ? [] : patients.filter(isTyped).map(({ key }) => key))
}
