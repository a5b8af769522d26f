import type { Database, Tx } from '../../db/database.ts'
import { isRolledBack } from '../../db/rolled-back.ts'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import {
  type ArrivedImage,
  type CommittedImage,
  type FreshImage,
  isFresh,
  type PlacedImage,
  placeImages,
} from './arrived-image.ts'
import { setFollowingAside } from './following.sql.ts'
import { seriesGains, studyGains } from './ingest-gains.ts'
import {
  type BlobRow,
  type StoredBlob,
  type LockedStoredStudy,
  type IngestedStudyKey,
  lockStoredStudies,
} from '../storage/ingest.sql.ts'
import { countLate } from './late-arrival.sql.ts'
import { lateImages } from './late-images.ts'
import { listReferencedKeys } from '../storage/instance.sql.ts'
import { insertSameContent, listSameContent } from './same-content.sql.ts'
import { blobId, storeReadyBlobs } from './store-blobs.command.ts'
import { type InstanceRow, enterListing } from './list-images.sql.ts'
import { askToFollow, type FollowingImage, placeFollowing } from './place-following.command.ts'
import { reachRecords } from './reach-records.command.ts'
import {
  type ElsewhereStudy,
  type ExpectedBlob,
  type ReachedRecord,
  lockReachedRecords,
} from './reached-records.sql.ts'

/** More images than this wait for the next batch. */
export const MAX_BATCH_IMAGES = 64

/**
 * Lists a batch of images whose bytes are being written: in one transaction, which commits when files and folders are on
 * disk. When it returns, the images may be acknowledged. Objects that turn out to be needed by nobody (duplicates) are
 * deleted.
 * @param gather closes the batch, once its studies are locked: more images of these may come until then
 */
export async function commitImages(
  { db, store }: { db: Database; store: ObjectStore },
  first: readonly ArrivedImage[],
  gather: () => Promise<readonly ArrivedImage[]> = async () => first,
): Promise<CommittedImage[]> {
  let images: readonly ArrivedImage[] | undefined
  let onDisk: Promise<void> | undefined
  const list = () =>
    db.transaction().execute(async (tx) => {
      const studies = await lockStoredStudies(tx, distinctStudies(first))
      images ??= await gather()
      onDisk ??= beginFinish(store, images)
      const listed = await listImages(tx, studies, images)
      await onDisk
      return listed
    })
  const { placed, unneeded, elsewhere } = await list().catch((error: unknown) => {
    if (!isRolledBack(error)) throw error
    return list()
  })
  for (const key of unneeded) await store.remove(key)
  return placed.map((one) =>
    one.outcome === 'uncompared'
      ? { outcome: one.outcome, others: one.others }
      : { outcome: one.outcome, elsewhere: studiesElsewhere(one, placed, elsewhere) },
  )
}

function beginFinish(store: ObjectStore, images: readonly ArrivedImage[]): Promise<void> {
  const onDisk = store.finish(images.map((image) => image.writer))
  // asked for at the end of the transaction, to which it may not come
  onDisk.catch(() => undefined)
  return onDisk
}

async function listImages(
  tx: Tx,
  studies: readonly LockedStoredStudy[],
  images: readonly ArrivedImage[],
): Promise<{ placed: readonly PlacedImage[]; unneeded: string[]; elsewhere: readonly ElsewhereStudy[] }> {
  const at = new Date()
  const studyOf = new Map(studies.map((study) => [studyId(study), study]))
  const found = (image: ArrivedImage) => studyOf.get(studyId(image)) as LockedStoredStudy
  const keyOf = (image: ArrivedImage) => found(image).key
  const sopOf = (image: ArrivedImage) => ({
    storage_namespace: image.storage_namespace,
    study_key: keyOf(image),
    sop_uid: image.facts.sopUid,
  })
  const expected = expectedBlobs(images, found, sopOf)
  const {
    known,
    reached,
    elsewhere,
    blobs: entered,
  } = await lockReachedRecords(tx, studies, images.map(sopOf), expected)
  const following = await placeFollowing(tx, images, found)
  const followers = new Map(following.map((one) => [one.image, one]))
  const staying = images.filter((image) => !followers.has(image))
  const first = placeImages(staying, keyOf, known)
  const unknown = first.filter((one) => one.outcome === 'uncompared')
  // bytes that were compared before need not be again
  const same = unknown.length > 0 ? await listSameContent(tx, known, unknown) : []
  const placed = same.length > 0 ? placeImages(staying, keyOf, [...known, ...same]) : first
  const fresh = placed.filter(isFresh)
  await noteSameContent(tx, placed)
  const unlisted = withoutRecord(placed, reached)
  const moving = following.filter((one) => one.outcome === 'stored')
  let blobs: StoredBlob[] = entered.filter((blob) => blob.state === 'ready')
  blobs = await withBlobsOf(tx, moving, blobs)
  await setAside(tx, moving, blobs)
  if (fresh.length + unlisted.length > 0) {
    blobs = await withBlobsOf(tx, fresh, blobs)
    const gains = studyGains(fresh, studies)
    const listed = studyGains(unlisted, studies).map((gain) => ({ ...gain, images: 0, conflicts: 0, bytes: 0 }))
    const shown = [...gains, ...listed].filter((gain) => !isUnshown(gain, images))
    const records = await reachRecords(tx, images, shown, reached, at)
    const instances = fresh.map((one) => instanceRow(one, generationOf(blobs, one.image)))
    await enterListing(tx, { instances, series: seriesGains(fresh), studies: gains, records }, at)
    const late = lateImages(
      fresh.map(({ image }) => image),
      images,
      reached,
    )
    if (late.length > 0) await countLate(tx, late)
  }
  // images that are to be compared are asked for again
  const all = images.map((image) => followers.get(image) ?? placed.find((one) => one.image === image))
  const each = all.filter((one) => one !== undefined)
  const decided = each.filter((one) => one.outcome !== 'uncompared').map(({ image }) => image)
  return { placed: each, unneeded: await listUnneeded(tx, decided, blobs), elsewhere }
}

/** Studies that held an image of the same SOP UID before, and those into which one came in the same batch. */
function studiesElsewhere(
  { image, studyKey }: PlacedImage,
  placed: readonly PlacedImage[],
  before: readonly ElsewhereStudy[],
): string[] {
  const { sopUid } = image.facts
  const found = before.filter((one) => one.sop_uid === sopUid && one.study_key === studyKey)
  const beside = placed.filter(
    (one) =>
      one.outcome !== 'uncompared' &&
      one.image.facts.sopUid === sopUid &&
      one.image.storage_namespace === image.storage_namespace &&
      one.studyKey !== studyKey,
  )
  const names = [...found.map((one) => one.study_uid), ...beside.map((one) => one.image.study_uid)]
  return [...new Set(names)].toSorted()
}

/** Images of a study that nobody sees yet bring no record of it. */
function isUnshown(study: IngestedStudyKey, images: readonly ArrivedImage[]): boolean {
  return images.some((image) => image.isUnshown && studyId(image) === studyId(study))
}

/** Images that follow others to another study wait aside until they are stored anew there. */
async function setAside(tx: Tx, moving: readonly FollowingImage[], blobs: readonly StoredBlob[]): Promise<void> {
  if (moving.length === 0) return
  const rows = moving.map((one) => ({
    ...instanceRow({ ...one, outcome: 'stored' }, generationOf(blobs, one.image)),
    separation_uuid: one.separationUuid,
  }))
  await setFollowingAside(tx, rows)
  await askToFollow(tx, new Set(moving.map((one) => one.separationUuid)))
}

/** Duplicates of studies of which nothing new came and whose record is gone: what is acknowledged must be found. */
function withoutRecord(placed: readonly PlacedImage[], reached: readonly ReachedRecord[]): PlacedImage[] {
  const shown = new Set(reached.filter((record) => record.is_own).map(studyId))
  const reachedAnyway = new Set(placed.filter((one) => one.outcome !== 'duplicate').map((one) => studyId(one.image)))
  return placed.filter(({ image }) => !shown.has(studyId(image)) && !reachedAnyway.has(studyId(image)))
}

/** Objects that no blob points to: their bytes were there already, under another key. */
async function listUnneeded(tx: Tx, images: readonly ArrivedImage[], stored: readonly StoredBlob[]): Promise<string[]> {
  const needed = new Set(stored.map((blob) => blob.object_key))
  const keys = images.map((image) => image.writer.key).filter((key) => !needed.has(key))
  if (keys.length === 0) return []
  const referenced = await listReferencedKeys(tx, keys)
  return keys.filter((key) => !referenced.has(key))
}

/** Notes the bytes that hold the same as what is stored: sent again, they need not be compared. */
async function noteSameContent(tx: Tx, placed: readonly PlacedImage[]): Promise<void> {
  const same = placed.flatMap(({ image, studyKey, outcome }) => {
    const { storage_namespace, sha256, version, sameAs } = image
    if (outcome !== 'duplicate' || !sameAs) return []
    return {
      storage_namespace,
      study_key: studyKey,
      sop_uid: image.facts.sopUid,
      sha256,
      version,
      stored_version: sameAs,
    }
  })
  if (same.length > 0) await insertSameContent(tx, same)
}

/**
 * Blobs of images that are new if no version of their SOP instance is stored: nearly all that arrive. An image that may
 * follow others, or was compared, is decided first; so is a second one of its name.
 */
function expectedBlobs(
  images: readonly ArrivedImage[],
  studyOf: (image: ArrivedImage) => LockedStoredStudy,
  sopOf: (image: ArrivedImage) => Omit<ExpectedBlob, keyof BlobRow>,
): ExpectedBlob[] {
  const plain = images.filter(
    (image) => image.compared.size === 0 && image.sameAs === undefined && !studyOf(image).is_separated,
  )
  const firsts = firstOfEach(plain, (image) => Object.values(sopOf(image)).join('/'))
  return firstOfEach(firsts, blobId).map((image) => ({ ...sopOf(image), ...blobRow(image) }))
}

function firstOfEach<One>(all: readonly One[], keyOf: (one: One) => string): One[] {
  return [...Map.groupBy(all, keyOf).values()].flatMap(([first]) => first ?? [])
}

/** Blobs that are entered already, and those of these images. */
async function withBlobsOf(tx: Tx, images: readonly PlacedImage[], entered: StoredBlob[]): Promise<StoredBlob[]> {
  const known = new Set(entered.map(blobId))
  const missing = images.map(({ image }) => image).filter((image) => !known.has(blobId(image)))
  if (missing.length === 0) return entered
  return [...entered, ...(await storeReadyBlobs(tx, firstOfEach(missing, blobId).map(blobRow)))]
}

function generationOf(blobs: readonly StoredBlob[], image: ArrivedImage): number {
  return blobs.find((blob) => blobId(blob) === blobId(image))?.generation ?? 1
}

function blobRow(image: ArrivedImage): BlobRow {
  const { account_uuid, sha256, writer, length, crc32 } = image
  return { account_uuid, sha256, generation: 1, object_key: writer.key, length, crc32 }
}

function instanceRow({ image, studyKey, isPrimary }: FreshImage, generation: number): InstanceRow {
  const { facts } = image
  return {
    storage_namespace: image.storage_namespace,
    study_key: studyKey,
    series_uid: facts.seriesUid,
    sop_uid: facts.sopUid,
    version: image.version,
    is_primary: isPrimary,
    account_uuid: image.account_uuid,
    sha256: image.sha256,
    generation,
    sop_class: facts.sopClass,
    transfer_syntax: facts.transferSyntax,
    instance_number: facts.instanceNumber,
    frames: facts.frames,
    rows: facts.rows,
    columns: facts.columns,
    pixel_offset: image.pixelOffset,
    length: image.length,
    crc32: image.sentCrc32,
    tail_crc32: image.tailCrc32,
    preamble_blank: image.preambleBlank,
    bare_start: image.bareStart,
    accession_number: facts.demographics.accession_number,
    source: image.source,
    source_name: image.sourceName,
    differs: [...image.compared.values()].find((one) => one !== undefined) ?? null,
  }
}

function distinctStudies(images: readonly ArrivedImage[]): (IngestedStudyKey & { account_uuid: string })[] {
  const studies = images.map(({ storage_namespace, study_uid, account_uuid }) => ({
    storage_namespace,
    study_uid,
    account_uuid,
  }))
  return [...new Map(studies.map((study) => [studyId(study), study])).values()]
}

export function studyId(study: IngestedStudyKey): string {
  return `${study.storage_namespace}/${study.study_uid}`
}
