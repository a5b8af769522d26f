import { freshSid } from '../../api/credentials.ts'
import { findHash } from './hash-file.ts'
import { SendFault } from './send-fault.ts'
import type { SendTerms } from './send-file.ts'
import { type AcceptedImage, sendImage } from './send-image.ts'
import { sendTogether } from './send-together.ts'
import {
  type Announced,
  type AnnouncedStudy,
  announceSession,
  announceStudies,
  type Ask,
  type UploadComparison,
  compareFiles,
  finishStudy,
  setMrn,
  type TypedMrn,
} from './study-calls.ts'
import type { PlannedFile } from './upload-plan.ts'

/** The largest file that is read a second time while it is sent: files of all lanes are in memory then. */
const HASHED_BESIDE_BYTES = 8 * 1024 * 1024

/** The other side of an upload: a namespace for who is signed in, or a request for who opened its link. */
export interface UploadRemote {
  sayBegun: (namespaceId: string, studyCount: number, signal: AbortSignal) => Promise<void>
  announce: (namespaceId: string, studies: readonly AnnouncedStudy[], signal: AbortSignal) => Promise<Announced>
  compare: (
    namespaceId: string,
    files: readonly PlannedFile[],
    hashes: Map<PlannedFile, string>,
    terms: { ask: Ask; signal: AbortSignal },
  ) => Promise<UploadComparison>
  send: (
    namespaceId: string,
    file: PlannedFile,
    terms: Omit<SendTerms, 'sid'>,
  ) => Promise<Pick<AcceptedImage, 'outcome'>>
  /** Sends files of one study at once, where the other side takes them so; those that arrived are returned. */
  sendTogether?: (
    namespaceId: string,
    files: readonly PlannedFile[],
    terms: { signal: AbortSignal; onBytes: (file: PlannedFile, sentBytes: number) => void },
  ) => Promise<ReadonlyMap<PlannedFile, Pick<AcceptedImage, 'outcome'>>>
  /** @param uuid by which the study was announced */
  finish: (uuid: string, imageCount: number, signal: AbortSignal) => Promise<void>
  /** Sets an MRN on a study that was announced, before its images are sent. */
  setMrn: (uuid: string | undefined, typed: TypedMrn, signal: AbortSignal) => Promise<void>
  sayEnded: (namespaceId: string, studyCount: number, signal: AbortSignal) => Promise<void>
}

/** Uploads of the person who is signed in. */
export const ownRemote: UploadRemote = {
  sayBegun: (namespaceId, studyCount, signal) => announceSession(namespaceId, 'STUDY_UPLOAD_START', studyCount, signal),
  announce: announceStudies,
  compare: compareFiles,
  send: async (namespaceId, one, terms) => {
    const sid = await freshSid()
    if (!sid) throw new SendFault('signed-out')
    const { file, studyUid } = one
    // the two lists are compared by hashes afterwards; beside the sending, working them out takes hardly any time
    const hash = file.size <= HASHED_BESIDE_BYTES ? findHash(file) : undefined
    const accepted = await sendImage({ file, studyUid, namespace: namespaceId }, { sid, ...terms })
    await hash
    return accepted
  },
  sendTogether: async (namespaceId, files, terms) => {
    const sid = await freshSid()
    if (!sid) throw new SendFault('signed-out')
    return sendTogether(files, namespaceId, { sid, ...terms })
  },
  finish: finishStudy,
  setMrn,
  sayEnded: (namespaceId, studyCount, signal) => announceSession(namespaceId, 'STUDY_UPLOAD_END', studyCount, signal),
}
