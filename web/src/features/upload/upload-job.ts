import type { FaultKind, SendFault } from './send-fault.ts'
import type { AcceptedImage } from './send-image.ts'
import type { PatientIdentity, PlannedFile, PlannedSeries, PlannedStudy } from './upload-plan.ts'

/** Where an upload goes. */
export interface UploadDestination {
  /** The group's uuid, as the address names it. */
  groupId: string
  namespaceId: string
  name: string
}

export interface JobStudy {
  study: PlannedStudy
  patient: PatientIdentity
  /** The MRN that the person typed, when it is another than the images carry. */
  newMrn: string | undefined
  /** Why the patient has an MRN that somebody else holds too, where that was answered. */
  mrnReason: string | undefined
}

/** A confirmed upload. The same job, run again, sends only files that are not yet acknowledged. */
export interface UploadJob {
  /** DICOM files as they are, or others that the server makes into images. */
  kind: 'dicom' | 'other'
  destination: UploadDestination
  studies: JobStudy[]
  /** Keys of series that the person left out; `studies` are without them. */
  leftOut: ReadonlySet<string>
  fileCount: number
  sizeBytes: number
  /** Files that a try began to send, over all tries of this job. */
  begun: Set<PlannedFile>
  /** Files that came by this job: those of a first try that the server did not have. */
  brought: Set<PlannedFile>
  /** Files that the server has, by its own word. */
  acknowledged: Set<PlannedFile>
  /** The server's outcome for each sent file. */
  outcomes: Map<PlannedFile, AcceptedImage['outcome']>
  /** SHA-256 of files as far as it was needed. */
  hashes: Map<PlannedFile, string>
  /** Files whose SOP UID stands in another study of the destination, with that study. */
  elsewhere: Map<PlannedFile, string>
  /** Record of each announced study, by study UID. */
  uuids: Map<string, string>
  /** Study UIDs of the studies on which the MRN stands that the person typed. */
  numbered: Set<string>
  /** Study UIDs of the studies that are finished. */
  finished: Set<string>
}

/** A file, or a whole study where `path` is undefined, that did not make it. */
export interface UploadFailure {
  path: string | undefined
  studyUid: string
  kind: FaultKind | 'not-listed' | 'not-compared'
  status: number
  detail: string
  /** The person who locked the study, if any. */
  holder?: string
}

/** The specification's code for an upload that failed (ERROR-17). */
type UploadCode = 'DICOM_UPLOAD_FAILD' | 'NON_DICOM_UPLOAD_FAILED' | 'NAMESPACE_NOT_FOUND'

/** The specification's code for one failure (ERROR-17); of a whole study that of its upload. */
export function uploadFaultCode({ path, kind, detail }: UploadFailure, upload: UploadCode): string {
  if (kind === 'no-destination') return 'NAMESPACE_NOT_FOUND'
  if (detail === 'STUDY_SET_PARAMS_UUID_NOT_FOUND') return detail
  return path === undefined ? upload : 'FILE_UPLOAD_FAILED'
}

/** A file and the study that it belongs to, as a person knows them. */
export interface FileNote {
  path: string
  studyUid: string
  description: string
  date: string
}

/** Files that arrived and need to be known of. */
export interface UploadNotes {
  /** Kept beside an image of the same SOP UID that differs. */
  conflicts: readonly FileNote[]
  /** Of a SOP UID that stands in another study too. */
  elsewhere: readonly (FileNote & { otherUid: string })[]
}

/** A study that was uploaded, as a person knows it. */
export interface UploadedStudy {
  uuid: string
  patientName: string
  description: string
  date: string
  /** Series that the person left out. */
  leftOut: readonly Pick<PlannedSeries, 'number' | 'description'>[]
}

export type UploadOutcome =
  | {
      kind: 'done'
      destination: UploadDestination
      studyCount: number
      /** Studies of which the person left series out. */
      partCount: number
      fileCount: number
      /** Files that were there before. */
      thereFiles: number
      /** The records that were uploaded, in the order of the wizard. */
      studies: readonly UploadedStudy[]
      notes: UploadNotes
    }
  | {
      kind: 'failed'
      code: UploadCode
      /** The fault that stopped the whole upload, if any. */
      stoppedBy: { kind: FaultKind; status: number; detail: string } | undefined
      failures: UploadFailure[]
      acknowledgedFiles: number
      fileCount: number
      notes: UploadNotes
    }

export function toUploadFailure(studyUid: string, path: string | undefined, fault: SendFault): UploadFailure {
  const { kind, status, detail, holder } = fault
  return { path, studyUid, kind, status, detail, ...(holder ? { holder } : {}) }
}
