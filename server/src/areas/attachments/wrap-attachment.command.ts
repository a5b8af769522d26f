import { randomUUID } from 'node:crypto'
import { StorageError } from '@hilum/contract/storage-errors'
import type { Caller, Membership } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import { findSetting } from '../setting/setting.sql.ts'
import { findAttachment } from './attachment.sql.ts'
import { makeImages, type WrappedImage } from './wrap-file.command.ts'

/** One version of an attachment of a record. */
interface AttachmentKey {
  id: string
  version: string
}

/**
 * The key for the UIDs of an attachment's images: its content and its place, so that the same content becomes the same
 * images there and others elsewhere; or a random one.
 */
export function seriesKeyOf(
  record: Pick<StudyRecord, 'phi_namespace' | 'study_uid'>,
  { version }: AttachmentKey,
  isStatic: boolean,
): string {
  return isStatic ? `${record.phi_namespace}/${record.study_uid}/attachment/${version}` : randomUUID()
}

/**
 * Makes images of the study of an attachment, of a PDF one of each page; undefined when it is none that becomes images.
 * @throws StorageError ATTACHMENT_NOT_FOUND_EXCEPTION, and what `makeImages` throws
 */
export async function wrapAttachment(
  services: Services,
  actor: Pick<Caller, 'userUuid'>,
  { record, membership }: { record: StudyRecord; membership: Membership },
  key: AttachmentKey,
  options: { seriesKey: string; tellProgress?: (done: number, all: number) => Promise<void> },
): Promise<WrappedImage[] | undefined> {
  const found = await findAttachment(services.db, record.phi_namespace, record.uuid, key)
  if (!found) throw new StorageError('ATTACHMENT_NOT_FOUND_EXCEPTION', undefined, { study_uid: record.study_uid })
  const said = { length: found.length, name: found.filename, tags: undefined, studyUid: record.study_uid }
  return services.store.useFile(found, ({ path }) =>
    makeImages(services, actor, membership, { ...said, path }, { ...options, pdf: 'drawn' }),
  )
}

/** Whether the group, or else its organisation, has what is attached made images of without being asked. */
export async function wrapsByItself(
  { db }: Pick<Services, 'db'>,
  { namespaceUuid, accountUuid }: Membership,
): Promise<boolean> {
  const key = 'auto_wrap_images'
  const set =
    (await findSetting(db, 'namespace', namespaceUuid, key)) ?? (await findSetting(db, 'account', accountUuid, key))
  return set === '1'
}
