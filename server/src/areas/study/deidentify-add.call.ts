import { randomUUID } from 'node:crypto'
import type { studyDeidentifyAdd } from '@hilum/contract/calls/study-deidentify'
import { maxNamelessRecipient, maxNamelessTexts } from '@hilum/contract/limits'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { findLiveCopy, insertCopy, type NamelessCopyRow } from '../nameless/nameless-copy.sql.ts'
import { openNamelessSource } from '../nameless/nameless-source.command.ts'
import { listOrigins } from './origins.sql.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'

export const deidentifyAdd: Handler<typeof studyDeidentifyAdd> = async ({ services, input, caller, on, fail }) => {
  const { record } = on
  const recipient = input.recipient.trim()
  if (recipient === '' || recipient.length > maxNamelessRecipient) throw fail('INVALID_FIELD', { subtype: 'recipient' })
  const texts = [...new Set(input.texts)].toSorted()
  if (texts.length > maxNamelessTexts) throw fail('INVALID_FIELD', { subtype: 'texts' })
  const source = await openNamelessSource(services, record, recipient)
  if (!source) throw fail('NOT_READY')
  if (source.digest !== input.digest) throw fail('STALE')
  const { pseudonym, days, uidOf } = source.pseudonyms
  const row = {
    uuid: randomUUID(),
    phi_namespace: record.phi_namespace,
    study_uuid: record.uuid,
    account_uuid: record.account_uuid,
    study_uid: record.study_uid,
    copy_study_uid: uidOf(record.study_uid),
    recipient,
    pseudonym,
    days: input.dates === 'MOVED' ? days : 0,
    dates: input.dates,
    texts,
    pixels_seen: input.pixels_seen === 1,
    digest: source.digest,
    user_uuid: caller.userUuid,
  }
  return services.db.transaction().execute(async (tx) => {
    // two people at once make one copy
    await lockSharing(tx, row.copy_study_uid)
    const there = await findLiveCopy(tx, row.phi_namespace, row.copy_study_uid)
    // a copy that failed and is found holds images: others under their UIDs would be made beside them
    if (there && !isSame(there, row)) throw fail('ALREADY_EXISTS')
    if (there && there.state !== 'failed') return { uuid: there.uuid }
    await insertCopy(tx, { ...row, copied_from: await listOrigins(tx, record) })
    const { dates, pixels_seen, uuid } = row
    const detail = { recipient, dates, pixels_seen, texts: texts.length, request: uuid }
    await writeStudyAudit(tx, caller, record, 'STUDY_ANONYMIZE', detail)
    const about = { userUuid: caller.userUuid, accountUuid: record.account_uuid, studyUuid: record.uuid }
    await enqueue(
      tx,
      declaredJobs.makeNameless,
      { copyUuid: row.uuid },
      { group: `nameless:${row.phi_namespace}`, about },
    )
    return { uuid: row.uuid }
  })
}

/** Whether a copy is what would be made again. */
function isSame(
  there: NamelessCopyRow,
  { dates, texts, pixels_seen, digest }: Pick<NamelessCopyRow, 'dates' | 'texts' | 'pixels_seen' | 'digest'>,
): boolean {
  return (
    JSON.stringify([there.dates, there.texts, there.pixels_seen, there.digest]) ===
    JSON.stringify([dates, texts, pixels_seen, digest])
  )
}
