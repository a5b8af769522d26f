import { createHash } from 'node:crypto'
import { StorageError } from '@hilum/contract/storage-errors'
import { isPlaceGone } from '../../db/place-gone.ts'
import type { Services } from '../../services.ts'
import type { ArrivedImage, CommittedImage, ImageDifference, ArrivalOutcome } from './arrived-image.ts'
import { compareVersions, noteDifference } from './compare-version.command.ts'
import { MAX_BATCH_IMAGES, commitImages, studyId } from './commit-images.command.ts'
import { freeBytes } from '../../outbound/storage/free-bytes.ts'
import { createGroupCommitter } from './group-committer.ts'
import type { ImageFacts } from '../storage/image-facts.ts'
import { findStoredVersion } from '../storage/instance.sql.ts'
import type { ObjectWriter } from '../../outbound/storage/object-store.ts'
import type { ImagePlace } from '../storage/location.ts'
import { hasLeftAs } from '../altered/departure.sql.ts'
import { sentAsOf } from '../altered/sent-as.ts'
import { type ReadBody, readImageBody } from './read-image-body.ts'
import { findVersion } from './same-content.sql.ts'
import { scanned } from './scan-body.ts'
import { explainDiskFailure, explainStoreFailure } from '../storage/store-failure.ts'
import { versionOf } from '../storage/version-of.ts'

/** Where an image comes from and goes to. The caller has checked that it may. */
export type ImageArrival = {
  namespaceUuid: string
  accountUuid: string
  source: 'upload' | 'harvest'
  /** AE title of the sender; empty for people. */
  sourceName?: string
  /** The user or link that sends, if it is one. */
  actor?: string
  /** A program sends with the user's key. */
  isByKey?: boolean
  /** The study that the sender names; an image of another is refused. */
  expectedStudyUid?: string
  /** Throws what the image is refused with; asked before anything is listed. */
  check?: (facts: ImageFacts) => void
  /** Seconds without images after which the study counts as complete. */
  quietSeconds: number
  /** The study is being put together: no record shows it, and none is made. */
  isUnshown?: boolean
  /** The caller puts on record itself that the image came. */
  isOnRecord?: boolean
  /** Lists the image under a stored study of this UID until it goes to the one that the image names. */
  stagedAs?: string
  contentLength?: number
  /** Nobody else reads the chunks of the body, so they are freed when they are written. */
  ownsBody?: boolean
}

export type ReceivedImage = {
  outcome: ArrivalOutcome
  /** Of the bytes that are stored: the first 128 bits of their SHA-256, as a uuid. */
  version: string
  sha256: string
  facts: ImageFacts
  /** Other studies of the namespace that hold an image of the same SOP UID. */
  elsewhere: string[]
}

/** Quiet times after which a study is complete (`design` §5.8). */
export const UPLOAD_QUIET_SECONDS = 90
export const TRANSFER_QUIET_SECONDS = 30

/**
 * Takes one DICOM file in. When it returns, the bytes and their folder are on disk and the rows are committed; a file
 * already stored is answered without storing the file again.
 * @throws StorageError with the reason in words; nothing of the file is kept or listed then
 */
export async function receiveImage(
  services: Services,
  arrival: ImageArrival,
  body: AsyncIterable<Uint8Array>,
): Promise<ReceivedImage> {
  const committer = committerOf(services)
  committer.arriving += 1
  const { metrics } = services
  try {
    const received = await receive(services, committer, arrival, body)
    metrics.images.inc({ source: arrival.source, outcome: received.outcome })
    return received
  } catch (error) {
    metrics.images.inc({ source: arrival.source, outcome: 'refused' })
    throw error
  } finally {
    committer.arriving -= 1
  }
}

async function receive(
  services: Services,
  committer: Committer,
  arrival: ImageArrival,
  body: AsyncIterable<Uint8Array>,
): Promise<ReceivedImage> {
  const { store, db } = services
  const folderOf = (facts: ImageFacts) => folderOfStudy(arrival, facts.studyUid)
  const { contentLength, ownsBody = false } = arrival
  const read = await readImageBody(store, { body: scanned(services, body), contentLength, ownsBody, folderOf }).catch(
    (error: unknown) => explainStoreFailure(services.log, error),
  )
  let { writer } = read
  try {
    const { facts } = read
    if (arrival.expectedStudyUid && arrival.expectedStudyUid !== facts.studyUid) {
      throw new StorageError('VALIDATION_ERROR', 'The file belongs to another study than the one named')
    }
    arrival.check?.(facts)
    const sha256 = read.sha256.toString('hex')
    const version = versionOf(sha256)
    const result = { version, sha256, facts }
    const studyUid = arrival.stagedAs ?? facts.studyUid
    const study = `${arrival.namespaceUuid}/${studyUid}`
    // with a full disk what is there already is still acknowledged
    if (committer.mayRepeat(study) || (await services.disk.look()).level === 'full') {
      const stored = await findStoredVersion(db, arrival.namespaceUuid, { ...facts, studyUid }, version)
      committer.note(study, stored !== undefined)
      if (stored) {
        await writer?.discard()
        if (ownsBody) freeBytes(read.pending)
        return { ...result, outcome: 'duplicate', elsewhere: stored.elsewhere }
      }
    }
    writer ??= await store.begin(folderOf(facts))
    const image = arrivedImage(arrival, read, writer, sha256, version)
    const ended = writeRest(writer, read.pending, ownsBody)
    image.writer = { ...writer, end: () => ended }
    // one that is small goes to disk while its rows are written; nobody's rows wait for gigabytes
    if (read.writer) await ended
    // From here on the object stays: a commit whose answer got lost may have listed it. The sweep takes what was not.
    writer = undefined
    const { outcome, elsewhere, sameAs } = await settle(services, committer, image)
    committer.note(study, outcome === 'duplicate')
    if (outcome !== 'duplicate') services.metrics.storedBytes.inc({ source: arrival.source }, read.length)
    services.events.ring()
    return { ...result, version: sameAs ?? version, outcome, elsewhere }
  } catch (error) {
    await writer?.discard()
    return explainDiskFailure(services.log, error)
  }
}

/** Versions of one image that one of them is compared with; beyond this it is kept beside them. */
const MAX_COMPARED = 8

/**
 * Lists an image, after comparing it with each version of it that is there: what differs in its writing alone is a
 * duplicate, and so is what left here with corrections. Versions may come meanwhile, so what was found is said to the next try, which decides under lock.
 */
async function settle(
  services: Services,
  committer: Committer,
  image: ArrivedImage,
): Promise<{ outcome: ArrivalOutcome; elsewhere: string[]; sameAs?: string | undefined }> {
  const compared = new Map<string, ImageDifference | undefined>()
  let sameAs: string | undefined
  for (;;) {
    const committed = await committer.commit({ ...image, compared, sameAs }).catch(explainGone)
    if (committed.outcome !== 'uncompared') {
      return committed.outcome === 'duplicate' ? { ...committed, sameAs } : committed
    }
    sameAs = undefined
    await image.writer.end()
    for (const other of committed.others) {
      const found = compared.size < MAX_COMPARED ? await findVersion(services.db, other) : undefined
      const comparison =
        found && (await compareVersions(services, placeOf(image), found, image.actor ?? image.storage_namespace))
      // corrected here on its way to a destination, and sent back under the patient it left under: every Hilum signs alike
      const isReturned =
        comparison?.isCorrection === true && (await hasLeftAs(services.db, image, sentAsOf(image.facts.demographics)))
      if (comparison?.isSame || isReturned) {
        sameAs = other.version
        break
      }
      compared.set(other.version, noteDifference(comparison))
    }
  }
}

/** @throws StorageError NOT_FOUND where the place was deleted meanwhile; any other error as it is */
function explainGone(error: unknown): never {
  if (!isPlaceGone(error)) throw error
  throw new StorageError('NOT_FOUND', 'The place that the image came for was deleted meanwhile', {}, { cause: error })
}

function placeOf({ writer, length, sha256, facts }: ArrivedImage): ImagePlace {
  const { sopUid: sop_uid, transferSyntax: transfer_syntax } = facts
  return { object_key: writer.key, byte_offset: 0, length, sop_uid, sha256, transfer_syntax }
}

/** Writes what of a body is still in memory and ends the object, which is discarded where either fails. */
function writeRest(writer: ObjectWriter, pending: readonly Uint8Array[], ownsBody: boolean): Promise<void> {
  const write = async () => {
    if (pending.length > 0) await writer.write(pending)
    if (ownsBody) freeBytes(pending)
    await writer.end()
  }
  const ended = write().catch(async (error: unknown) => {
    await writer.discard()
    throw error
  })
  // the commit finishes the object and is told; when something else has failed before, nobody is
  ended.catch(() => undefined)
  return ended
}

function arrivedImage(
  arrival: ImageArrival,
  read: ReadBody,
  writer: ObjectWriter,
  sha256: string,
  version: string,
): ArrivedImage {
  return {
    storage_namespace: arrival.namespaceUuid,
    study_uid: arrival.stagedAs ?? read.facts.studyUid,
    account_uuid: arrival.accountUuid,
    source: arrival.source,
    sourceName: arrival.sourceName ?? '',
    actor: arrival.actor ?? null,
    isByKey: arrival.isByKey ?? false,
    quietSeconds: arrival.quietSeconds,
    isUnshown: arrival.isUnshown ?? false,
    isOnRecord: arrival.isOnRecord ?? false,
    writer,
    sha256,
    version,
    ...read.sums(),
    pixelOffset: read.pixelOffset,
    length: read.length,
    preambleBlank: read.preambleBlank,
    bareStart: read.bareStart,
    facts: read.facts,
    compared: new Map(),
    sameAs: undefined,
  }
}

/** Objects lie by account, namespace and study. A study's UID is no safe file name, so its hash stands for it. */
function folderOfStudy(arrival: ImageArrival, studyUid: string): string {
  const study = createHash('sha256').update(studyUid).digest('hex').slice(0, 32)
  return `${arrival.accountUuid}/${arrival.namespaceUuid}/${study}`
}

type Committer = {
  commit: (image: ArrivedImage) => Promise<CommittedImage>
  /** Whether it pays to ask for duplicates of this study before writing: new ones, and those that had some. */
  mayRepeat: (study: string) => boolean
  note: (study: string, wasDuplicate: boolean) => void
  /** Images that are being received now. */
  arriving: number
}

const committers = new WeakMap<Services, Committer>()
/** A commit costs about as much. */
const LINGER_MS = 4
const MAX_FRESH_STUDIES = 10_000

/** One committer per process, so that images of all connections share commits. */
function committerOf(services: Services): Committer {
  const known = committers.get(services)
  if (known) return known
  const freshStudies = new Set<string>()
  const committer: Committer = {
    commit: createGroupCommitter<ArrivedImage, CommittedImage>(
      (first, gather) => commitImages(services, first, gather),
      {
        maxItems: MAX_BATCH_IMAGES,
        lingerMs: LINGER_MS,
        countExpected: () => committer.arriving,
        keyOf: studyId,
      },
    ),
    mayRepeat: (study) => !freshStudies.has(study),
    note: (study, wasDuplicate) => {
      if (wasDuplicate) freshStudies.delete(study)
      else freshStudies.add(study)
      if (freshStudies.size > MAX_FRESH_STUDIES) freshStudies.clear()
    },
    arriving: 0,
  }
  committers.set(services, committer)
  return committer
}
