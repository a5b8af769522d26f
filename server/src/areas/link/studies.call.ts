import { linkedStudy, type LinkedStudy, type linkStudies } from '@hilum/contract/calls/link-open'
import { mayDo } from '@hilum/contract/acts'
import type { LinkCaller } from '../../access/caller.ts'
import { findCaller } from '../../access/find-caller.ts'
import { seeRecord, type StudyAccess } from '../../access/study-access.ts'
import { findRecordByUuid } from '../../access/study-record.sql.ts'
import type { Db } from '../../db/database.ts'
import { recordAccess } from '../audit/record-access.command.ts'
import type { Handler } from '../handler.ts'
import type { StoredSeries } from '../storage/instance.sql.ts'
import { listSeries, type RecordKey } from '../storage/record-images.sql.ts'
import { presentStudy } from '../study/study.presenter.ts'
import { listStudyRows } from '../study/study-rows.sql.ts'
import { whatLinkGives } from './link-values.policy.ts'
import { findOpenedLink, type OpenedLink } from './link-session.sql.ts'

/**
 * The only call that the session of a link opens. The call finds its asker itself, since callers of other calls have a
 * login.
 */
export const studies: Handler<typeof linkStudies> = async ({ services, origin, fail }) => {
  const { db, log } = services
  const asker = origin.sid ? await findCaller(db, origin.sid, origin.clientAddress, { isPoll: true, log }) : undefined
  const link = asker?.kind === 'link' ? await findOpenedLink(db, asker.linkUuid) : undefined
  if (asker?.kind !== 'link' || !link) throw fail('EXPIRED')
  const seen = await listSeen(db, asker, link)
  const rows = await listStudyRows(
    db,
    seen.map(({ record }) => record),
    asker.linkUuid,
  )
  const gives = whatLinkGives(link.permissions)
  for (const access of seen) await recordAccess(db, asker, access, 'STUDY_VIEW')
  const studies: LinkedStudy[] = []
  for (const { record, membership } of seen) {
    const row = rows.find((one) => one.uuid === record.uuid)
    if (!row) continue
    const shown = linkedStudy.parse(presentStudy(row, membership, origin.host, new Map()))
    studies.push(gives.attachments ? shown : { ...shown, ...(await countShown(db, record)), attachment_count: 0 })
  }
  return {
    studies,
    message: link.message,
    account_name: link.account_name,
    expires_at: link.expires_at,
    download: gives.download ? 1 : 0,
    attachments: gives.attachments ? 1 : 0,
  }
}

/** The images of a record in numbers, without the reports that stay hidden. */
async function countShown(db: Db, record: RecordKey) {
  const series = await listSeries(db, record)
  const sum = (of: (one: StoredSeries) => number) => series.reduce((all, one) => all + of(one), 0)
  return {
    image_count: sum((one) => one.image_count),
    series_count: series.length,
    size: sum((one) => one.size),
  }
}

/** The studies that a link shows at this moment. */
async function listSeen(db: Db, asker: LinkCaller, link: OpenedLink): Promise<StudyAccess[]> {
  const found: StudyAccess[] = []
  for (const { uuid } of link.studies) {
    const record = await findRecordByUuid(db, uuid)
    const access = record && (await seeRecord(asker, record))
    if (access && mayDo('viewStudy', access)) found.push(access)
  }
  return found
}
