import type { FaultKind, SendFault } from './send-fault.ts'
import type { PatientIdentity, PlannedFile, PlannedStudy } from './upload-plan.ts'

/** Where an upload goes. */
export interface Destination {
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
}

/** What the person confirmed. The same job, run again, sends only what is not yet acknowledged. */
export interface UploadJob {
  destination: Destination
  studies: JobStudy[]
  fileCount: number
  sizeBytes: number
  /** Files that were sent, over all tries of this job. */
  sentFiles: number
  /** Files that the server has, by its own word. */
  acknowledged: Set<PlannedFile>
  /** Record of each announced study, by study UID. */
  uuids: Map<string, string>
  /** Study UIDs of the studies that are finished, MRN included. */
  finished: Set<string>
}

/** A file, or a whole study where `path` is undefined, that did not make it. */
export interface UploadFailure {
  path: string | undefined
  studyUid: string
  kind: FaultKind | 'not-listed'
  status: number
  detail: string
}

export type UploadOutcome =
  | {
      kind: 'done'
      destination: Destination
      studyCount: number
      fileCount: number
      sentFiles: number
      conflicts: number
    }
  | {
      kind: 'failed'
      /** ERROR-17 */
      code: 'DICOM_UPLOAD_FAILD' | 'NAMESPACE_NOT_FOUND'
      /** What stopped the whole upload, where something did. */
      stoppedBy: { kind: FaultKind; status: number; detail: string } | undefined
      failures: UploadFailure[]
      acknowledgedFiles: number
      fileCount: number
    }

export function toFailure(studyUid: string, path: string | undefined, fault: SendFault): UploadFailure {
  return { path, studyUid, kind: fault.kind, status: fault.status, detail: fault.detail }
}
