import { create } from 'zustand'
import type { FindProgress, FoundExams } from './find-exams.ts'
import type { HoldReason } from './gate.ts'
import type { HeldMrns } from './held-mrns.ts'
import type { OnePatient } from './mrn-rules.ts'
import type { Verdict } from './study-calls.ts'
import type { Destination, UploadOutcome } from './upload-job.ts'
import type { PlannedFile } from './upload-plan.ts'

/** The search of step 1. */
export type Search =
  | { kind: 'none' }
  | { kind: 'reading'; progress: FindProgress }
  | { kind: 'found'; exams: FoundExams }
  /** no-exams: read to the end, and nothing in it can be uploaded; cannot-load: the browser gave the files up. */
  | { kind: 'failed'; reason: 'no-exams' | 'cannot-load'; skipped: FoundExams['skipped'] }

/** Files of each found study at the destination: there already, different, not yet compared, of all. */
export type AlreadyHere = ReadonlyMap<string, { have: number; conflict: number; open: number; of: number }>

/** preparing: the server is asked what it has; comparing: all is sent, its list is compared with ours. */
export type TransferStage = 'preparing' | 'sending' | 'comparing'

/** An upload under way. Bytes are those of all selected files. */
export interface Transfer {
  destinationName: string
  uploadedBytes: number
  totalBytes: number
  fileCount: number
  bytesPerSecond: number | undefined
  hold: HoldReason | undefined
  stage: TransferStage
}

/** ENTITY-20: all that the wizard knows. It lives outside the page, so that an upload goes on while others are shown. */
export interface UploadState {
  step: number
  destination: Destination | undefined
  search: Search
  selected: ReadonlySet<string>
  alreadyHere: AlreadyHere
  /** MRNs that the person typed, by patient key. */
  mrns: Readonly<Record<string, string>>
  /** "These are one patient": one MRN for those of whom it was said. */
  onePatient: OnePatient | undefined
  /** Clashes of MRNs to which the person said yes. */
  answers: ReadonlySet<string>
  /** The destination's answers on patients and their MRNs. */
  held: HeldMrns
  /** Whether the destination was asked about them. */
  peopleCheck: 'asking' | 'done' | 'failed'
  /** Times that the person pressed Upload while something was missing: from then on the fields say so. */
  refusedTries: number
  transfer: Transfer | undefined
  /** The banner of the last upload, until it is closed or another begins. */
  outcome: UploadOutcome | undefined
}

/** UPLOAD-16: what the state goes back to after every upload. */
export const initialUpload: UploadState = {
  step: 0,
  destination: undefined,
  search: { kind: 'none' },
  selected: new Set(),
  alreadyHere: new Map(),
  mrns: {},
  onePatient: undefined,
  answers: new Set(),
  held: new Map(),
  peopleCheck: 'done',
  refusedTries: 0,
  transfer: undefined,
  outcome: undefined,
}

export const useUpload = create<UploadState>(() => initialUpload)

/** Counts the destination's verdicts on the found files by study; files without one are still compared. */
export function countAlreadyHere(
  files: readonly PlannedFile[],
  verdicts: ReadonlyMap<PlannedFile, Verdict>,
): AlreadyHere {
  const counts = new Map<string, { have: number; conflict: number; open: number; of: number }>()
  for (const one of files) {
    const count = counts.get(one.studyUid) ?? { have: 0, conflict: 0, open: 0, of: 0 }
    counts.set(one.studyUid, count)
    const verdict = verdicts.get(one)
    count.of++
    if (verdict === 'have') count.have++
    if (verdict === 'conflict') count.conflict++
    if (verdict === undefined) count.open++
  }
  return counts
}
