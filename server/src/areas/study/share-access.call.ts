import type { studyShareAccess } from '@hilum/contract/calls/study-share'
import type { Handler } from '../handler.ts'
import { findCopyRefusal } from './keep-copy.sql.ts'
import { listOrigins } from './origins.sql.ts'
import { hasAllAsOwn, listAccess, listOutsideSenders, listReceived } from './share-lists.sql.ts'

export const shareAccess: Handler<typeof studyShareAccess> = async ({ services, on }) => {
  const { record, membership } = on
  const [shares, received, hasCopy, origins, sentBy] = await Promise.all([
    listAccess(services.db, record.uuid),
    listReceived(services.db, record),
    hasAllAsOwn(services.db, record),
    listOrigins(services.db, record),
    listOutsideSenders(services.db, record),
  ])
  return {
    owner: { kind: membership.kind, name: membership.name },
    received,
    sent_by: sentBy,
    shares,
    has_copy: hasCopy,
    keep_refused: (await findCopyRefusal(services.db, record, origins)) ?? '',
  }
}
