import { maxTagLength } from '@hilum/contract/calls/tag'
import { ApiError } from '@hilum/contract/errors'
import { foldText } from '@hilum/dicom/person-name'
import type { Caller } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { lockTags, updateTags } from './tag.sql.ts'

/**
 * Changes the tags of a record, with history and event; nothing happens when nothing changes.
 * @param change what the tags become; `after` runs in the same transaction when they did
 * @throws ApiError NOT_FOUND when the record is gone meanwhile
 */
export async function changeTags(
  services: Services,
  caller: Caller,
  { record }: StudyAccess,
  change: (tags: readonly string[]) => readonly string[],
  after: (tx: Tx, taken: readonly string[]) => Promise<void> = async () => {},
): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const before = await lockTags(tx, record)
    if (!before) throw new ApiError('NOT_FOUND')
    const tags = change(before)
    if (tags.length === before.length && tags.every((tag, index) => tag === before[index])) return
    await updateTags(tx, record, tags)
    await after(
      tx,
      before.filter((tag) => !tags.includes(tag)),
    )
    await writeStudyAudit(tx, caller, record, 'EDIT', { tags: [before.join(', '), tags.join(', ')] })
    await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  })
  services.events.ring()
}

/** @throws ApiError INVALID_FIELD for a tag that is empty, too long or holds control characters */
export function readTag(sent: string): string {
  const tag = sent.trim().normalize('NFC')
  if (tag === '' || tag.length > maxTagLength || /\p{Cc}/u.test(tag)) {
    throw new ApiError('INVALID_FIELD', { subtype: 'tag' })
  }
  return tag
}

/** Tags that differ only in case or accents are one. */
export function isSameTag(one: string, other: string): boolean {
  return foldText(one) === foldText(other)
}
