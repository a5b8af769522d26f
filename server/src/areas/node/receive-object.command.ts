import { StorageError, type StorageErrorCode } from '@hilum/contract/storage-errors'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { Status } from '@hilum/dicom/dimse/status'
import { writeMeta } from '@hilum/dicom/write-part10'
import type { Services } from '../../services.ts'
import type { ArrivalOutcome } from '../ingest/arrived-image.ts'
import type { ImageFacts } from '../storage/image-facts.ts'
import { mayPass } from '../storage/store-failure.ts'
import { receiveImage, TRANSFER_QUIET_SECONDS } from '../ingest/receive-image.command.ts'
import type { CalledNode } from './node.sql.ts'

/** An object as a C-STORE request brings it. */
type SentObject = {
  /** As the command names them. */
  sopClass: string
  sopInstance: string
  /** Of the presentation context. */
  transferSyntax: string
  /** The study that was asked for; an object of another is refused. */
  studyUid?: string
  /** The chunks of the object are read by nobody else. */
  data: AsyncIterable<Uint8Array>
}

export type ReceivedObject =
  | { kind: 'received'; outcome: ArrivalOutcome; facts: ImageFacts; elsewhere: string[]; bytes: number }
  /** `reason` holds no patient data. */
  | { kind: 'failed'; status: number; reason: string }

/** Failures that would only repeat themselves. Out of resources makes senders try again later. */
const ownFaults: Partial<Record<StorageErrorCode, number>> = {
  PAYLOAD_TOO_LARGE: Status.CannotUnderstand,
  CONFLICT: Status.DataSetDoesNotMatch,
  MISSING_REQUIRED_DICOM_TAG: Status.CannotUnderstand,
  VALIDATION_ERROR: Status.CannotUnderstand,
  BAD_REQUEST: Status.CannotUnderstand,
  VIRUS_DETECTED: Status.CannotUnderstand,
  NOT_FOUND: Status.NotAuthorized,
}

/**
 * Stores an object for the namespace that the sender called. The file gets group 0002 and an empty preamble in front of
 * the data set, whose bytes stay as they came; the sender's name is not part of it, so that the same object from two
 * senders is the same file.
 * @throws DimseError when the association ended inside the object
 */
export async function receiveObject(
  services: Services,
  node: CalledNode,
  callingTitle: string,
  sent: SentObject,
): Promise<ReceivedObject> {
  const { sopClass, sopInstance, transferSyntax } = sent
  let bytes = 0
  async function* file() {
    yield writeMeta(sopClass, sopInstance, transferSyntax)
    for await (const chunk of sent.data) {
      bytes += chunk.length
      yield chunk
    }
  }
  const arrival = {
    namespaceUuid: node.namespaceUuid,
    accountUuid: node.accountUuid,
    source: 'harvest' as const,
    sourceName: callingTitle,
    quietSeconds: TRANSFER_QUIET_SECONDS,
    ownsBody: true,
    check: (facts: ImageFacts) => checkNames(sent, facts),
  }
  try {
    const { outcome, facts, elsewhere } = await receiveImage(services, arrival, file())
    return { kind: 'received', outcome, facts, elsewhere, bytes }
  } catch (error) {
    if (error instanceof DimseError) throw error
    const status = error instanceof StorageError ? statusOf(error) : undefined
    if (status !== undefined) return { kind: 'failed', status, reason: (error as StorageError).message }
    services.log.error({ event: 'dicom object not stored', err: error })
    return { kind: 'failed', status: Status.ProcessingFailure, reason: 'Something failed inside the server' }
  }
}

function statusOf(error: StorageError): number | undefined {
  return mayPass(error) ? Status.OutOfResources : ownFaults[error.code]
}

/** The object that the sender believes to have stored must be the one found under that name later. */
function checkNames(sent: SentObject, facts: ImageFacts): void {
  if (sent.studyUid !== undefined && sent.studyUid !== facts.studyUid) {
    throw new StorageError('CONFLICT', 'The object belongs to another study than the one that was asked for')
  }
  // group 0002 is ours and repeats the command: it proves nothing
  if (!facts.isNamedInside) {
    throw new StorageError('MISSING_REQUIRED_DICOM_TAG', 'The data set has no SOP Class or SOP Instance UID')
  }
  if (sent.sopClass !== facts.sopClass) {
    throw new StorageError('CONFLICT', 'The SOP Class UID differs between command and data set')
  }
  if (sent.sopInstance !== facts.sopUid) {
    throw new StorageError('CONFLICT', 'SOP Instance UID differs between command and data set')
  }
}
