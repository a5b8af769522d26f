import type { Retraction } from '@hilum/contract/entities/study'
import { create } from 'zustand'
import type { UploadWait } from '../../state/upload-progress.ts'
import type { HereCount } from './exam-rows.ts'
import type { FindProgress, ScannedExams } from './find-exams.ts'
import type { HoldReason } from './gate.ts'
import type { HeldMrns } from './held-mrns.ts'
import type { OnePatient } from './mrn-rules.ts'
import type { Renewal } from './renew-files.ts'
import type { UploadVerdict } from './study-calls.ts'
import type { UploadDestination, UploadOutcome } from './upload-job.ts'
import { type OtherFiles, planOther } from './other-files.ts'
import type { PickedFile } from './picked-files.ts'
import { type PlannedFile, type PlannedStudy, seriesKey, type UploadPlan } from './upload-plan.ts'

/** The search of step 1. */
export type DiscSearch =
  | { kind: 'none' }
  | { kind: 'reading'; progress: FindProgress }
  | { kind: 'found'; exams: ScannedExams }
  /** Files that are no DICOM, with the form that says whose they are. */
  | { kind: 'other'; other: OtherFiles }
  /** no-exams: read to the end, and nothing in it can be uploaded; cannot-load: the browser gave the files up. */
  | {
      kind: 'failed'
      reason: 'no-exams' | 'cannot-load'
      skipped: ScannedExams['skipped']
      others: readonly PickedFile[]
    }

/** The studies that the wizard holds: those found in DICOM files, or the one that other files become. */
export function planOf(search: DiscSearch): UploadPlan | undefined {
  if (search.kind === 'found') return search.exams.plan
  return search.kind === 'other' ? planOther(search.other) : undefined
}

/** Folders and files behind a search, where the browser gave handles that outlast the page. */
export interface UploadSource {
  handles: readonly FileSystemHandle[]
  /** Of the interrupted upload that is taken up. */
  key?: string
  /** Not all that was chosen then is found there now. */
  isPartial?: boolean
  /** Studies that were chosen then: whoever chose them has looked at their patients. */
  lookedAt?: ReadonlySet<string>
}

/** Files of each found study, and of each series by its key, at the destination: there already, different, not yet compared, of all. */
type AlreadyHere = ReadonlyMap<string, HereCount>

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
  /** Nothing moves, and the server does not answer. */
  isSilent: boolean
  stage: TransferStage
}

/** Why nothing moves, undefined where something does. */
export function uploadWaitOf({ hold, isSilent }: Pick<Transfer, 'hold' | 'isSilent'>): UploadWait | undefined {
  return hold ?? (isSilent ? 'silent' : undefined)
}

/**
 * ENTITY-20: all that the wizard knows. The store lives outside the page, so that an upload goes on while others are
 * shown.
 */
export interface UploadState {
  step: number
  destination: UploadDestination | undefined
  search: DiscSearch
  source: UploadSource
  /** UIDs of the chosen studies. */
  selected: ReadonlySet<string>
  /** Keys of series that the person left out of studies. */
  leftOut: ReadonlySet<string>
  alreadyHere: AlreadyHere
  /** MRNs that the person typed, by patient key. */
  mrns: Readonly<Record<string, string>>
  /** Keys of patients whose MRN was typed in an upload that broke off, and is asked for again. */
  typedBefore: ReadonlySet<string>
  /** "These are one patient": one MRN for those of whom it was said. */
  onePatient: OnePatient | undefined
  /** Clashes of MRNs to which the person said yes. */
  answers: ReadonlySet<string>
  /** The destination's answers on patients and their MRNs. */
  held: HeldMrns
  /** Studies that were taken back from the destination, by its namespace and their UIDs; null for those that were not. */
  retracted: ReadonlyMap<string, Retraction | null>
  /** Whether the destination was asked about them. */
  peopleCheck: 'asking' | 'done' | 'failed'
  /** Times that the person pressed Upload while something was missing: from then on the fields say so. */
  refusedTries: number
  transfer: Transfer | undefined
  /** The banner of the last upload, until it is closed or another begins. */
  outcome: UploadOutcome | undefined
  /** After a failed upload: files that were moved are looked for in another choice, or how many of them were there. */
  renewal: 'reading' | Renewal | undefined
}

/** UPLOAD-16: what the state goes back to after every upload. */
export const initialUpload: UploadState = {
  step: 0,
  destination: undefined,
  search: { kind: 'none' },
  source: { handles: [] },
  selected: new Set(),
  leftOut: new Set(),
  alreadyHere: new Map(),
  mrns: {},
  typedBefore: new Set(),
  onePatient: undefined,
  answers: new Set(),
  held: new Map(),
  retracted: new Map(),
  peopleCheck: 'done',
  refusedTries: 0,
  transfer: undefined,
  outcome: undefined,
  renewal: undefined,
}

export const useUpload = create<UploadState>(() => initialUpload)

/** Counts the destination's verdicts on the found files by study and by series; files without one are still compared. */
export function countAlreadyHere(
  files: readonly PlannedFile[],
  verdicts: ReadonlyMap<PlannedFile, UploadVerdict>,
): AlreadyHere {
  const counts = new Map<string, HereCount>()
  for (const one of files) {
    const verdict = verdicts.get(one)
    for (const key of [one.studyUid, seriesKey(one.studyUid, one.seriesUid)]) {
      const count = counts.get(key) ?? { have: 0, conflict: 0, open: 0, of: 0 }
      counts.set(key, count)
      count.of++
      if (verdict === 'have') count.have++
      if (verdict === 'conflict') count.conflict++
      if (verdict === undefined) count.open++
    }
  }
  return counts
}

/** Files of what is chosen of a study at the destination; undefined until asked. */
export function countHere(chosen: PlannedStudy, whole: PlannedStudy, alreadyHere: AlreadyHere): HereCount | undefined {
  const all = alreadyHere.get(whole.studyUid)
  if (!all || chosen.series.length === whole.series.length) return all
  const sum: HereCount = { have: 0, conflict: 0, open: 0, of: 0 }
  for (const { seriesUid } of chosen.series) {
    const count = alreadyHere.get(seriesKey(whole.studyUid, seriesUid))
    for (const name of ['have', 'conflict', 'open', 'of'] as const) sum[name] += count?.[name] ?? 0
  }
  return sum
}
