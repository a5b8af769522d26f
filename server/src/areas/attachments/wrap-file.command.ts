import { createHash } from 'node:crypto'
import { StorageError } from '@hilum/contract/storage-errors'
import { parseTag, Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import type { WriteElement } from '@hilum/dicom/write-part10'
import type { Caller, Membership } from '../../access/caller.ts'
import { findRecordByUid } from '../../access/study-record.sql.ts'
import { openLentFile } from '../../outbound/storage/lent-file.ts'
import { readChunks } from '../../outbound/storage/read-chunks.ts'
import type { Services } from '../../services.ts'
import { studyAttributes } from '@hilum/contract/entities/study-attributes'
import { atMost } from '../storage/at-most.ts'
import type { StoredAttachment } from './attachment.sql.ts'
import { drawPdf } from '../document/draw-pdf.ts'
import type { PdfPage } from '../document/pdf-page.ts'
import { findDemographics } from '../altered/demographics.sql.ts'
import { storeAttachment } from './store-attachment.command.ts'
import { countPixels, MAX_PIXELS, readPictures } from './picture-pixels.ts'
import { type ImageArrival, receiveImage, UPLOAD_QUIET_SECONDS } from '../ingest/receive-image.command.ts'
import type { presentReceivedImage } from '../ingest/received-image.presenter.ts'
import { findImage } from '../storage/record-images.sql.ts'
import { safeFilename } from '../storage/safe-filename.ts'
import { readWrapAttributes } from './wrap-attributes.ts'
import { type WrapContext, type WrappedObject, wrapPage, wrapPdf, wrapPicture } from './wrapped-object.ts'

/** The largest file that is wrapped: what a signed 32-bit length holds. */
export const MAX_WRAPPED_BYTES = 2 ** 31 - 1

/** Pixels that all pictures being opened have together: one of the largest takes 150 MB. */
const inTurn = atMost(MAX_PIXELS)

export type FileToWrap = {
  path: string
  length: number
  name: string
  /** JSON of the form's values. */
  tags: string | undefined
  /** The study that it belongs to; without one the tags name it, or it is a new one. */
  studyUid: string | undefined
}

export type Wrapped =
  | { kind: 'images'; images: WrappedImage[] }
  | { kind: 'attachment'; attachment: StoredAttachment; phiNamespace: string }

/** An image of the study that was made of a file, or that the same file had become before. */
export type WrappedImage = Parameters<typeof presentReceivedImage>[0]

/** How the images of a file are made, where it is not as of a file that was uploaded to be wrapped. */
export type WrapOptions = {
  /** The same text gives the series and its images the same UIDs; without one the study and the kind of file do. */
  seriesKey?: string
  /**
   * The objects made of a PDF: one that holds it, an image of each page in a series of their own, or both. Held where
   * nothing is said.
   */
  pdf?: 'held' | 'drawn' | 'both'
  /** Pictures and PDF alone, whose values are those of the form and nothing of the record: for senders without a login. */
  isForeign?: boolean
  /** Stores an object that was made: for senders who may store so much and no more. Throws what ends the making. */
  storeObject?: (
    object: { length: number; body: AsyncIterable<Uint8Array> },
    store: (body: AsyncIterable<Uint8Array>) => Promise<WrappedImage>,
  ) => Promise<WrappedImage>
  tellProgress?: (done: number, all: number) => Promise<void>
}

/**
 * Takes a file in that is no DICOM: pictures and PDF become DICOM objects of the study, one series for each kind; other
 * files are attached to its record. A DICOM file goes in as it is.
 * @throws StorageError; STUDY_NOT_FOUND for an attachment to a study that was never announced
 */
export async function wrapFile(
  services: Services,
  caller: Caller,
  membership: Membership,
  file: FileToWrap,
  options: WrapOptions,
): Promise<Wrapped> {
  const images = await makeImages(services, caller, membership, file, options)
  if (images) return { kind: 'images', images }
  const studyUid = studyUidOf(file, readWrapAttributes(file.tags))
  const record = studyUid ? await findRecordByUid(services.db, membership.namespaceUuid, studyUid) : undefined
  if (!record) throw new StorageError('STUDY_NOT_FOUND', undefined, { study_uid: studyUid })
  const attachment = await storeAttachment(services, caller, record, { name: file.name, body: readChunks(file.path) })
  return { kind: 'attachment', attachment, phiNamespace: record.phi_namespace }
}

/**
 * Makes images of the study of a file; undefined when it is none that becomes images.
 * @throws StorageError; images before the one that failed stay
 */
export async function makeImages(
  services: Services,
  { userUuid, kind: callerKind }: Pick<Caller, 'userUuid'> & Partial<Pick<Caller, 'kind'>>,
  { namespaceUuid, accountUuid }: Pick<Membership, 'namespaceUuid' | 'accountUuid'>,
  file: FileToWrap,
  {
    seriesKey,
    pdf = 'held',
    isForeign = false,
    storeObject = ({ body }, store) => store(body),
    tellProgress = async () => undefined,
  }: WrapOptions = {},
): Promise<WrappedImage[] | undefined> {
  const arrival: ImageArrival = {
    namespaceUuid,
    accountUuid,
    source: 'upload',
    actor: userUuid,
    isByKey: callerKind === 'key',
    quietSeconds: UPLOAD_QUIET_SECONDS,
  }
  if (file.length === 0) throw new StorageError('VALIDATION_ERROR', 'The file is empty', { reason: 'empty' })
  const kind = await kindOf(file.path)
  if (isForeign && kind !== 'picture' && kind !== 'pdf') {
    throw new StorageError('NOT_ACCEPTABLE', 'Only pictures (JPEG, PNG or TIFF) and PDF files are taken here')
  }
  if (kind === 'other') return undefined
  if (kind === 'dicom') return [await receiveImage(services, arrival, readChunks(file.path))]
  const said = readWrapAttributes(file.tags)
  const named = studyUidOf(file, said)
  const record = named && !isForeign ? await findRecordByUid(services.db, namespaceUuid, named) : undefined
  const known = record && (await findDemographics(services.db, record.phi_namespace, record.uuid))
  const studyUid = named || newUid(services.config.uidRoot)
  if (isForeign && !namesPatient(said)) {
    throw new StorageError('VALIDATION_ERROR', 'The tags must name the patient, with name, MRN and date of birth')
  }
  const context: WrapContext = {
    seriesKey: seriesKey ?? `${namespaceUuid}/${studyUid}`,
    studyUid,
    uidRoot: services.config.uidRoot,
    said: new Map([...elementsOf(known?.values ?? {}), ...said]),
    sha256: await hashOf(file.path),
  }
  const images: WrappedImage[] = []
  const take = async (object: WrappedObject, all: number) => {
    // made again after the patient was corrected it would be another object of the same UID
    const before = seriesKey && (await findMade(services, namespaceUuid, studyUid, object))
    const made = { length: lengthOf(object, file.length), body: bytesOf(object, file.path) }
    images.push(before || (await storeObject(made, (body) => receiveImage(services, arrival, body))))
    await tellProgress(images.length, all)
  }
  if (kind === 'pdf') {
    if (pdf !== 'drawn') await take(wrapPdf(context, { length: file.length, name: safeFilename(file.name) }), 1)
    const held = images.length
    const takePage = (page: PdfPage) => take(wrapPage(context, page, images.length - held), held + page.count)
    if (pdf !== 'held') await drawPdf(file, userUuid, takePage)
  } else {
    const turn = { owner: userUuid, weight: await countPixels(file.path) }
    await inTurn(async () => {
      for await (const { picture, pages } of readPictures(file.path)) {
        await take(wrapPicture(context, picture, file, images.length), pages)
      }
    }, turn)
  }
  return images
}

const namesPatient = (said: ReadonlyMap<number, WriteElement>) =>
  [Tag.PatientName, Tag.PatientID, Tag.PatientBirthDate].every((tag) => String(said.get(tag)?.value ?? '') !== '')

/** The study that the sender names beside the file, else the one that its values name; empty when neither does. */
function studyUidOf({ studyUid }: FileToWrap, said: ReadonlyMap<number, WriteElement>): string {
  return studyUid || String(said.get(Tag.StudyInstanceUID)?.value ?? '')
}

async function findMade(
  { db }: Services,
  namespaceUuid: string,
  studyUid: string,
  { sopInstanceUid, modality }: WrappedObject,
): Promise<WrappedImage | undefined> {
  const record = await findRecordByUid(db, namespaceUuid, studyUid)
  const found = record && (await findImage(db, record, sopInstanceUid))
  if (!found) return undefined
  const { series_uid, sop_uid, sop_class, transfer_syntax, frames, version, sha256 } = found
  return {
    outcome: 'duplicate',
    version,
    sha256,
    facts: {
      studyUid,
      seriesUid: series_uid,
      sopUid: sop_uid,
      sopClass: sop_class,
      transferSyntax: transfer_syntax,
      modality,
      frames,
    },
  }
}

function lengthOf({ before, holds, after }: WrappedObject, fileLength: number): number {
  return before.length + (holds === 'file' ? fileLength : holds.length) + after.length
}

async function* bytesOf({ before, holds, after }: WrappedObject, path: string): AsyncGenerator<Uint8Array> {
  yield before
  if (holds === 'file') yield* readChunks(path)
  else yield holds
  if (after.length > 0) yield after
}

/** The record's values as elements, for what the form leaves out. */
function elementsOf(values: Readonly<Record<string, string>>): [number, WriteElement][] {
  return Object.entries(values).flatMap(([name, value]): [number, WriteElement][] => {
    const known = studyAttributes[name as keyof typeof studyAttributes]
    const tag = parseTag(known?.tag ?? '')
    return known && tag !== undefined && value ? [[tag, { tag, vr: known.vr, value }]] : []
  })
}

const MAGIC_AT = 128

async function kindOf(path: string): Promise<'dicom' | 'picture' | 'pdf' | 'other'> {
  await using file = await openLentFile(path)
  const start = Buffer.alloc(MAGIC_AT + 4)
  await file.read(start, 0, start.length, 0)
  if (start.toString('latin1', MAGIC_AT) === 'DICM') return 'dicom'
  const head = start.toString('latin1', 0, 8)
  if (head.startsWith('%PDF-')) return 'pdf'
  const pictures = ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'II*\0', 'MM\0*']
  return pictures.some((opening) => head.startsWith(opening)) ? 'picture' : 'other'
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of readChunks(path)) hash.update(chunk)
  return hash.digest('hex')
}
