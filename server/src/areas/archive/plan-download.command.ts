import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { StorageError } from '@hilum/contract/storage-errors'
import type { DirectoryFile } from '@hilum/dicom/dicomdir'
import type { Services } from '../../services.ts'
import { anonymizeInstance, anonymizeRecord, anonymizeSeries } from '../altered/anonymize-attributes.ts'
import { asChanged, type Change } from '../altered/anonymized-instance.ts'
import { atMost } from '../storage/at-most.ts'
import { CannotSendError } from '../altered/cannot-send.ts'
import { changeToMake } from '../altered/correction-to-apply.ts'
import { linesOf } from '../pictures/draw-all-frames.ts'
import type { StoredInstance, StoredSeries } from '../storage/instance.sql.ts'
import { directoryEntry } from './directory-entry.ts'
import { layoutIso } from './iso-layout.ts'
import { type OutgoingRecord, findOutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { packEntries } from './packed-entries.ts'
import { clipToBytes, fileWord, noDevice } from '../storage/file-word.ts'
import { assertOwn } from '../storage/own-bytes.ts'
import type { Part } from '../storage/parts.ts'
import { isNamed, placeFiles, type PlacesOptions } from './place-files.ts'
import { listImages, listSeries, type RecordKey } from '../storage/record-images.sql.ts'
import { type Folder, freeName, inFolders } from './studies-in-folders.ts'
import { type Entries, type ZipEntry, layoutZip, sizeOfEntry } from './zip-layout.ts'

export type DownloadOptions = PlacesOptions & {
  seriesUids?: readonly string[]
  imageUids?: readonly string[]
  /** The bytes as they came, whatever a person corrected since. */
  isAsReceived?: boolean
  /** The image of a disc instead of a ZIP. */
  isDisc?: boolean
}

type Download = { parts: Iterable<Part>; etag: string; filename: string }

/** Files that are corrected at once while the archive is laid out. */
const PARALLEL_CORRECTIONS = 8
/** Laying out takes some megabytes for a moment, so five hundred who ask at once take turns. */
const inTurn = atMost(2)

/**
 * The images that a download holds, and the record through which they leave: as the archive may tell of them.
 * @throws StorageError NO_IMAGES_IN_STUDY | IMAGES_NOT_FOUND; StoreError when the store does not give the first of them
 */
export async function findForDownload(
  { db, store }: Pick<Services, 'db' | 'store'>,
  record: RecordKey,
  options: DownloadOptions,
) {
  const [series, instances] = await Promise.all([
    listSeries(db, record),
    listImages(db, record, {
      ...(options.seriesUids ? { seriesUids: options.seriesUids } : {}),
      ...(options.imageUids ? { sopUids: options.imageUids } : {}),
    }),
  ])
  // after the images: one of another patient that came before they were listed is told of here
  const outgoing = await findOutgoingRecord(db, record.phi_namespace, record.uuid)
  const [first] = instances
  if (!outgoing || !first) {
    throw new StorageError(options.seriesUids || options.imageUids ? 'IMAGES_NOT_FOUND' : 'NO_IMAGES_IN_STUDY')
  }
  // an archive has begun before its first image is read, and could only break off then
  await assertOwn(store, first)
  // not by Math.max of all: a call takes no more than a hundred thousand arguments
  const newest = instances.reduce((latest, { arrived }) => (arrived > latest ? arrived : latest), new Date(0))
  const { anonymize } = options
  if (!anonymize) return { series, instances, outgoing, newest }
  return {
    series: series.map((one) => anonymizeSeries(one, anonymize)),
    instances: instances.map((one) => anonymizeInstance(one, anonymize)),
    outgoing: anonymizeRecord(outgoing, anonymize),
    newest,
  }
}

/**
 * Lays a study out as a ZIP or a disc image of DICOM files with a DICOMDIR as its last entry (without one, and `.dcm`, in
 * named folders): length, ranges and ETag are known before a byte is sent, and the same study gives the same bytes again.
 * @throws StorageError NO_IMAGES_IN_STUDY | IMAGES_NOT_FOUND | CONFLICT
 */
export function planDownload(services: Services, record: RecordKey, options: DownloadOptions): Promise<Download> {
  return inTurn(async () => {
    const { entries, newest, etag, filename } = await layOut(services, record, options)
    if (!options.isDisc) return { parts: layoutZip(entries), etag, filename }
    const parts = layoutIso(listEntries(entries), newest)
    return { parts, etag: `${etag}-iso`, filename: filename.replace(/\.zip$/, '.iso') }
  })
}

/** Images of all studies of one archive: for as long as somebody reads it, each takes some hundred bytes. */
const MOST_IMAGES = 200_000

/**
 * Lays studies out as one ZIP, each in a folder of its own that holds what the archive of that study alone would hold,
 * its DICOMDIR included. Folders are named after patient and date; a second one of a name gets a number.
 * @throws StorageError NO_IMAGES_IN_STUDY | IMAGES_NOT_FOUND | CONFLICT of any of them; PAYLOAD_TOO_LARGE
 */
export async function planSeveral(
  services: Services,
  records: readonly RecordKey[],
  options: Omit<DownloadOptions, 'isDisc'>,
): Promise<Download> {
  const folders: Folder[] = []
  const taken = new Set<string>()
  const fingerprint = createHash('sha256')
  let images = 0
  for (const record of records) {
    // a turn for each, so that who wants one study waits for one of a hundred at most
    const { entries, etag, filename } = await inTurn(() => layOut(services, record, options))
    images += entries.length
    if (images > MOST_IMAGES)
      throw new StorageError('PAYLOAD_TOO_LARGE', 'These studies have too many images for one archive')
    const name = freeName(filename.replace(/\.zip$/, ''), taken)
    fingerprint.update(`${name}/${etag}\n`)
    folders.push({ name, entries })
  }
  const etag = fingerprint.digest('hex').slice(0, 32)
  return { parts: layoutZip(inFolders(folders)), etag, filename: `studies_${records.length}.zip` }
}

async function layOut(services: Services, record: RecordKey, options: DownloadOptions) {
  const { store } = services
  const found = await findForDownload(services, record, options)
  const { series, instances, outgoing, newest } = found
  const change = changeToMake(outgoing, record, options)
  const ids = await placeFiles(services, found, options)
  const names = ids.map((id) => `${id.join('/')}${isNamed(options) ? '.dcm' : ''}`)
  const { images, leftOut } = change
    ? await changedEntries(store, instances, names, change, newest)
    : { images: packEntries(store, instances, names), leftOut: undefined }
  const fingerprint = createHash('sha256')
  for (let index = 0; index < images.length; index++) {
    const entry = images.at(index)
    fingerprint.update(`${entry?.name}/${entry?.length}/${entry?.crc32}\n`)
  }
  const filename = zipNameOf(outgoing)
  if (isNamed(options)) return { entries: images, newest, etag: fingerprint.digest('hex').slice(0, 32), filename }
  const files = instances.flatMap((instance, index) =>
    leftOut?.has(index) ? [] : [directoryFile(record.study_uid, outgoing, series, instance, ids[index] ?? [])],
  )
  const listing = JSON.stringify(files)
  fingerprint.update(listing)
  const etag = fingerprint.digest('hex').slice(0, 32)
  const directory = await directoryEntry(files, listing, etag, newest)
  return { entries: followedBy(images, directory), newest, etag, filename }
}

/** The images as they leave changed, and a note of those where that was not possible. */
async function changedEntries(
  store: Services['store'],
  instances: readonly StoredInstance[],
  names: readonly string[],
  change: Change,
  newest: Date,
): Promise<{ images: ZipEntry[]; leftOut: Set<number> }> {
  const bodies = await mapLimited(instances, PARALLEL_CORRECTIONS, (instance) =>
    asChanged(store, instance, change).catch((error: unknown) => {
      if (error instanceof CannotSendError) return error
      throw error
    }),
  )
  const images: ZipEntry[] = []
  const leftOut = new Set<number>()
  const failures: string[] = []
  for (const [index, body] of bodies.entries()) {
    const name = names[index] ?? ''
    if (body instanceof CannotSendError) {
      leftOut.add(index)
      failures.push(leftOutLine(name, body))
      continue
    }
    const { length, crc32, parts } = body
    images.push({ name, length, crc32, parts, modified: instances[index]?.arrived ?? newest })
  }
  if (failures.length > 0) images.push(bytesEntry('ERROR.txt', linesOf(failures), newest))
  return { images, leftOut }
}

/** The line of ERROR.txt on an image that must not leave. */
export function leftOutLine(name: string, { act, message }: CannotSendError): string {
  return `${name}: left out, because it cannot be ${act}: ${message}`
}

function bytesEntry(name: string, bytes: Uint8Array, modified: Date): ZipEntry {
  return { name, length: bytes.length, crc32: crc32(bytes), modified, parts: [{ kind: 'bytes', bytes }] }
}

/** By itself, because what it gives back keeps alive all that it has seen. */
function followedBy(entries: Entries, last: ZipEntry): Entries {
  const { length } = entries
  return {
    length: length + 1,
    at: (index) => (index === length ? last : entries.at(index)),
    sizeAt: (index) => (index === length ? sizeOfEntry([last], 0) : sizeOfEntry(entries, index)),
  }
}

function listEntries(entries: Entries): ZipEntry[] {
  return Array.from({ length: entries.length }, (_, index) => entries.at(index)).filter((one) => one !== undefined)
}

/** The entry for one file in the directory of a disc. */
export function directoryFile(
  studyUid: string,
  record: OutgoingRecord,
  series: readonly StoredSeries[],
  instance: StoredInstance,
  fileId: readonly string[],
): DirectoryFile {
  const own = series.find((one) => one.series_uid === instance.series_uid)
  return {
    fileId,
    sopClassUid: instance.sop_class,
    sopInstanceUid: instance.sop_uid,
    transferSyntax: instance.transfer_syntax,
    studyUid,
    seriesUid: instance.series_uid,
    patientName: record.patient_name,
    patientId: record.patientid,
    patientBirthDate: record.patient_birth_date,
    patientSex: record.patient_sex,
    studyDate: record.study_date,
    studyTime: record.study_time,
    studyDescription: record.study_description,
    studyId: '',
    accessionNumber: record.accession_number,
    modality: own?.modality ?? '',
    seriesNumber: own?.series_number ?? undefined,
    seriesDescription: own?.description ?? '',
    instanceNumber: instance.instance_number ?? undefined,
  }
}

/** Of a name in the name of an archive, which gets a date, an ending and sometimes a number from the browser. */
const MAX_NAME_BYTES = 180

/** Patient and date, as far as any file system takes them. */
export function zipNameOf(record: OutgoingRecord): string {
  // names written in one script alone leave the groups before it empty
  const name = record.patient_name.split('=').map((group) => fileWord(group))
  const words = [clipToBytes(name.find((group) => group !== '') ?? '', MAX_NAME_BYTES), fileWord(record.study_date)]
  return `${noDevice(words.filter((word) => word !== '').join('_')) || 'study'}.zip`
}

async function mapLimited<T, R>(items: readonly T[], limit: number, map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await map(items[index] as T)
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
  return results
}
