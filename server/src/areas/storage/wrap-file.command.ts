import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { StorageError } from '@hilum/contract/storage-errors'
import { parseTag, Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import type { WriteElement } from '@hilum/dicom/write-part10'
import type { Caller, Membership } from '../../access/caller.ts'
import { findRecordByUid } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import { studyAttributes } from '../study/study-attributes.ts'
import { atMost } from './at-most.ts'
import type { StoredAttachment } from './attachment.sql.ts'
import { findDemographics } from './demographics.sql.ts'
import { keepAttachment } from './keep-attachment.command.ts'
import { countPixels, MAX_PIXELS, readPictures } from './picture-pixels.ts'
import { type Arrival, type ReceivedImage, receiveImage, UPLOAD_QUIET_SECONDS } from './receive-image.command.ts'
import { safeFilename } from './safe-filename.ts'
import { readChunks } from './upload-parts.ts'
import { readWrapTags } from './wrap-tags.ts'
import { type WrapContext, type WrappedObject, wrapPdf, wrapPicture } from './wrapped-object.ts'

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
  | { kind: 'images'; images: ReceivedImage[] }
  | { kind: 'attachment'; attachment: StoredAttachment; phiNamespace: string }

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
): Promise<Wrapped> {
  const arrival: Arrival = {
    namespaceUuid: membership.namespaceUuid,
    accountUuid: membership.accountUuid,
    source: 'upload',
    actor: caller.userUuid,
    quietSeconds: UPLOAD_QUIET_SECONDS,
  }
  if (file.length === 0) throw new StorageError('VALIDATION_ERROR', 'The file is empty', { reason: 'empty' })
  const kind = await kindOf(file.path)
  if (kind === 'dicom') {
    return { kind: 'images', images: [await receiveImage(services, arrival, readChunks(file.path))] }
  }
  const said = readWrapTags(file.tags)
  const studyUid = file.studyUid || String(said.get(Tag.StudyInstanceUID)?.value ?? '')
  const record = studyUid ? await findRecordByUid(services.db, membership.namespaceUuid, studyUid) : undefined
  if (kind === 'other') {
    if (!record || record.deleted) throw new StorageError('STUDY_NOT_FOUND', undefined, { study_uid: studyUid })
    const attachment = await keepAttachment(services, caller, record, { name: file.name, body: readChunks(file.path) })
    return { kind: 'attachment', attachment, phiNamespace: record.phi_namespace }
  }
  const known = record && (await findDemographics(services.db, record.phi_namespace, record.uuid))
  const context: WrapContext = {
    namespaceUuid: membership.namespaceUuid,
    studyUid: studyUid || newUid(services.config.uidRoot),
    uidRoot: services.config.uidRoot,
    said: new Map([...elementsOf(known?.values ?? {}), ...said]),
    sha256: await hashOf(file.path),
  }
  const receive = async () => {
    const images: ReceivedImage[] = []
    for await (const object of objectsOf(context, kind, file)) {
      images.push(await receiveImage(services, arrival, bytesOf(object, file.path)))
    }
    return images
  }
  if (kind === 'pdf') return { kind: 'images', images: await receive() }
  const turn = { owner: caller.userUuid, weight: await countPixels(file.path) }
  return { kind: 'images', images: await inTurn(receive, turn) }
}

async function* objectsOf(context: WrapContext, kind: 'picture' | 'pdf', file: FileToWrap) {
  if (kind === 'pdf') {
    yield wrapPdf(context, { length: file.length, name: safeFilename(file.name) })
    return
  }
  let page = 0
  for await (const picture of readPictures(file.path)) {
    yield wrapPicture(context, picture, file, page)
    page += 1
  }
}

async function* bytesOf({ before, holds, after }: WrappedObject, path: string): AsyncGenerator<Uint8Array> {
  yield before
  if (holds === 'file') yield* readChunks(path)
  else yield holds
  if (after.length > 0) yield after
}

/** What the record says already, for what the form leaves out. */
function elementsOf(values: Readonly<Record<string, string>>): [number, WriteElement][] {
  return Object.entries(values).flatMap(([name, value]): [number, WriteElement][] => {
    const known = studyAttributes[name as keyof typeof studyAttributes]
    const tag = parseTag(known?.tag ?? '')
    return known && tag !== undefined && value ? [[tag, { tag, vr: known.vr, value }]] : []
  })
}

const MAGIC_AT = 128

async function kindOf(path: string): Promise<'dicom' | 'picture' | 'pdf' | 'other'> {
  await using file = await open(path, 'r')
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
