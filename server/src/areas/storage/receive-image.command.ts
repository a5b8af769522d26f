import { createHash } from 'node:crypto'
import { StorageError } from '@hilum/contract/storage-errors'
import type { Services } from '../../services.ts'
import type { ArrivedImage, CommittedImage, Outcome } from './arrived-image.ts'
import { MAX_BATCH_IMAGES, commitImages } from './commit-images.command.ts'
import { freeBytes } from './free-bytes.ts'
import { createGroupCommitter } from './group-committer.ts'
import type { ImageFacts } from './image-facts.ts'
import { findStoredVersion } from './instance.sql.ts'
import type { ObjectWriter } from '../../outbound/storage/file-store.ts'
import { type ReadBody, readImageBody } from './read-image-body.ts'
import { scanned } from './scan-body.ts'
import { explainDiskFailure, explainStoreFailure } from './store-failure.ts'
import { versionOf } from './version-of.ts'

/** Where an image comes from and goes to. The caller has checked that it may. */
export type Arrival = {
  namespaceUuid: string
  accountUuid: string
  source: 'upload' | 'harvest'
  /** AE title of the sender; empty for people. */
  sourceName?: string
  /** The user who sends, if it is one. */
  actor?: string
  /** The study that the sender names; an image of another is refused. */
  expectedStudyUid?: string
  /** Throws what the image is refused with; asked before anything is listed. */
  check?: (facts: ImageFacts) => void
  /** Seconds without images after which the study counts as complete. */
  quietSeconds: number
  contentLength?: number
  /** Nobody else reads the chunks of the body, so they are freed when they are written. */
  ownsBody?: boolean
}

export type ReceivedImage = {
  outcome: Outcome
  /** The first 128 bits of the SHA-256 of the bytes, as a uuid. */
  version: string
  sha256: string
  facts: ImageFacts
}

/** Quiet times after which a study is complete (`design` §5.8). */
export const UPLOAD_QUIET_SECONDS = 90
export const TRANSFER_QUIET_SECONDS = 30

/**
 * Takes one DICOM file in. When it returns, the bytes and their folder are on disk and the rows are committed; a file
 * that was there already is answered without storing it again.
 * @throws StorageError with the reason in words; nothing of the file is kept or listed then
 */
export async function receiveImage(
  services: Services,
  arrival: Arrival,
  body: AsyncIterable<Uint8Array>,
): Promise<ReceivedImage> {
  const committer = committerOf(services)
  committer.arriving += 1
  try {
    return await receive(services, committer, arrival, body)
  } finally {
    committer.arriving -= 1
  }
}

async function receive(
  services: Services,
  committer: Committer,
  arrival: Arrival,
  body: AsyncIterable<Uint8Array>,
): Promise<ReceivedImage> {
  const { store, db } = services
  const folderOf = (facts: ImageFacts) => folderOfStudy(arrival, facts.studyUid)
  const { contentLength, ownsBody = false } = arrival
  const read = await readImageBody(store, { body: scanned(services, body), contentLength, ownsBody, folderOf }).catch(
    explainStoreFailure,
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
    const study = `${arrival.namespaceUuid}/${facts.studyUid}`
    if (committer.mayRepeat(study)) {
      const isStored = await findStoredVersion(db, arrival.namespaceUuid, facts, version)
      committer.note(study, isStored)
      if (isStored) {
        await writer?.discard()
        if (ownsBody) freeBytes(read.pending)
        return { ...result, outcome: 'duplicate' }
      }
    }
    writer ??= await store.begin(folderOf(facts))
    if (read.pending.length > 0) await writer.write(read.pending)
    if (ownsBody) freeBytes(read.pending)
    const onDisk = syncOrDiscard(writer)
    // one that is small goes to disk while its rows are written; nobody's rows wait for gigabytes
    if (read.writer) await onDisk
    const image = { ...arrivedImage(arrival, read, writer.key, sha256, version), onDisk }
    // From here on the object stays: a commit whose answer got lost may have listed it. The sweep takes what was not.
    writer = undefined
    const { outcome } = await committer.commit(image)
    committer.note(study, outcome === 'duplicate')
    services.events.ring()
    return { ...result, outcome }
  } catch (error) {
    await writer?.discard()
    return explainDiskFailure(error)
  }
}

function syncOrDiscard(writer: ObjectWriter): Promise<void> {
  const onDisk = writer.sync().catch(async (error: unknown) => {
    await writer.discard()
    throw error
  })
  // whoever commits asks for it; when something else has failed before, nobody does
  onDisk.catch(() => undefined)
  return onDisk
}

function arrivedImage(
  arrival: Arrival,
  read: ReadBody,
  objectKey: string,
  sha256: string,
  version: string,
): Omit<ArrivedImage, 'onDisk'> {
  return {
    storage_namespace: arrival.namespaceUuid,
    study_uid: read.facts.studyUid,
    account_uuid: arrival.accountUuid,
    source: arrival.source,
    sourceName: arrival.sourceName ?? '',
    actor: arrival.actor ?? null,
    quietSeconds: arrival.quietSeconds,
    objectKey,
    sha256,
    version,
    crc32: read.crc32,
    sentCrc32: read.sentCrc32,
    tailCrc32: read.tailCrc32,
    pixelOffset: read.pixelOffset,
    length: read.length,
    preambleBlank: read.preambleBlank,
    facts: read.facts,
  }
}

/** Objects lie by account, namespace and study. A study's UID is no safe file name, so its hash stands for it. */
function folderOfStudy(arrival: Arrival, studyUid: string): string {
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
    commit: createGroupCommitter((images) => commitImages(services.db, services.store, images), {
      maxItems: MAX_BATCH_IMAGES,
      lingerMs: LINGER_MS,
      countExpected: () => committer.arriving,
    }),
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
