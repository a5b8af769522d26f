import { StorageError, type StorageErrorCode } from '@hilum/contract/storage-errors'
import { FIRST_READ_BYTES } from '@hilum/dicom/limits'
import { inflate } from '@hilum/dicom/node/inflate'
import { readHeader } from '@hilum/dicom/read'
import { DicomReadError } from '@hilum/dicom/read-error'
import type { Services } from '../../services.ts'
import { listElsewhere } from '../ingest/upload-check.sql.ts'
import { freeBytes } from '../../outbound/storage/free-bytes.ts'
import { mayPass } from '../storage/store-failure.ts'
import { type ImageArrival, receiveImage } from '../ingest/receive-image.command.ts'

/** The outcome for one part. */
export type StoredPart =
  | {
      kind: 'stored'
      studyUid: string
      seriesUid: string
      sopUid: string
      sopClass: string
      isConflict: boolean
      isDuplicate: boolean
      isElsewhere: boolean
    }
  | {
      kind: 'failed'
      failureReason: FailureReason
      reason: string
      /** Where the same instance may be taken another time. */
      retrySeconds?: number | undefined
      sopUid?: string
      sopClass?: string
    }

/** Why an instance was not stored. Source: PS3.18 Table I.2-2. */
export const failureReasons = {
  outOfResources: 0xa700,
  doesNotMatch: 0xa900,
  cannotUnderstand: 0xc000,
  processingFailure: 0x0110,
} as const
type FailureReason = (typeof failureReasons)[keyof typeof failureReasons]

export interface IncomingPart {
  body: AsyncIterable<Uint8Array>
  release: () => void
}

/** Parts that are hashed, written and committed while the next are read. */
const parallelParts = 16

/**
 * Takes in the instances of one request. A part that fails never stops its siblings; those on their way share commits.
 * @param parts read one after the other; when it throws, what came before is stored all the same
 */
export async function storeSentInstances(
  services: Services,
  arrival: ImageArrival,
  parts: AsyncIterable<IncomingPart>,
): Promise<StoredPart[]> {
  const results: StoredPart[] = []
  const running = new Set<Promise<void>>()
  try {
    for await (const part of parts) {
      const place = results.length
      results.push({ kind: 'failed', failureReason: failureReasons.processingFailure, reason: 'Not finished' })
      const work = storePart(services, arrival, part.body)
        .then((result) => {
          results[place] = result
        })
        .finally(() => {
          running.delete(work)
          part.release()
        })
      // met when it is waited for; until then it must not end the process
      work.catch(() => undefined)
      running.add(work)
      if (running.size >= parallelParts) await Promise.race(running)
    }
  } finally {
    await Promise.all(running)
  }
  return markElsewhere(services, arrival.namespaceUuid, results)
}

/** Marks instances whose SOP UID stands in another study of the namespace too. */
async function markElsewhere(
  services: Services,
  namespaceUuid: string,
  results: readonly StoredPart[],
): Promise<StoredPart[]> {
  const stored = results.flatMap((one) => (one.kind === 'stored' ? [one] : []))
  const named = stored.map((one) => ({ study_uid: one.studyUid, sop_uid: one.sopUid }))
  const found = stored.length > 0 ? await listElsewhere(services.db, namespaceUuid, named) : []
  const elsewhere = new Set<StoredPart | undefined>(found.map(({ at }) => stored[at]))
  return results.map((one) => (one.kind === 'stored' ? { ...one, isElsewhere: elsewhere.has(one) } : one))
}

async function storePart(
  services: Services,
  arrival: ImageArrival,
  body: AsyncIterable<Uint8Array>,
): Promise<StoredPart> {
  const beginning = new Beginning(body)
  try {
    const { facts, outcome } = await receiveImage(services, arrival, beginning)
    const { studyUid, seriesUid, sopUid, sopClass } = facts
    return {
      kind: 'stored',
      studyUid,
      seriesUid,
      sopUid,
      sopClass,
      isConflict: outcome === 'conflict',
      isDuplicate: outcome === 'duplicate',
      isElsewhere: false,
    }
  } catch (error) {
    if (!(error instanceof StorageError)) {
      services.log.error({ event: 'storing an instance failed', err: error })
      return {
        kind: 'failed',
        failureReason: failureReasons.processingFailure,
        reason: 'Storing failed',
        ...beginning.name(),
      }
    }
    const name = beginning.name()
    const isOther =
      name?.studyUid !== undefined &&
      arrival.expectedStudyUid !== undefined &&
      name.studyUid !== arrival.expectedStudyUid
    return {
      kind: 'failed',
      failureReason: isOther ? failureReasons.doesNotMatch : reasonOf(error),
      reason: error.message,
      retrySeconds: error.retrySeconds,
      ...name,
    }
  } finally {
    beginning.free()
  }
}

function reasonOf(error: StorageError): FailureReason {
  if (mayPass(error)) return failureReasons.outOfResources
  return isObjectsOwn.has(error.code) ? failureReasons.cannotUnderstand : failureReasons.processingFailure
}

const isObjectsOwn: ReadonlySet<StorageErrorCode> = new Set([
  'PAYLOAD_TOO_LARGE',
  'VALIDATION_ERROR',
  'MISSING_REQUIRED_DICOM_TAG',
  'BAD_REQUEST',
  'VIRUS_DETECTED',
])

/** Names stand at the beginning; what grows beyond a megabyte is not opened for one. */
function inflateLittle(input: Uint8Array): Uint8Array {
  return inflate(input, 1024 * 1024)
}

/**
 * A body of which a copy of the beginning is kept, so that a refused instance can be named in the answer: the chunks
 * themselves are empty once they are written.
 */
class Beginning implements AsyncIterable<Uint8Array> {
  readonly #body: AsyncIterable<Uint8Array>
  #pieces: Uint8Array[] = []
  #bytes = 0

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#body = body
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#body) {
      if (this.#bytes < FIRST_READ_BYTES) {
        this.#pieces.push(Uint8Array.from(chunk))
        this.#bytes += chunk.length
      }
      yield chunk
    }
  }

  free(): void {
    freeBytes(this.#pieces)
    this.#pieces = []
  }

  name(): { studyUid: string; sopUid: string; sopClass: string } | undefined {
    try {
      const read = readHeader(Buffer.concat(this.#pieces), { inflate: inflateLittle, size: Number.MAX_SAFE_INTEGER })
      if (read.kind !== 'header') return undefined
      const { studyUid, sopInstanceUid, sopClassUid } = read.header
      return { studyUid, sopUid: sopInstanceUid, sopClass: sopClassUid }
    } catch (error) {
      if (error instanceof DicomReadError) return undefined
      throw error
    }
  }
}
