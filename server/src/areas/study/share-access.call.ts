import type { studyShareAccess } from '@hilum/contract/calls/study-share'
import type { Handler } from '../handler.ts'
import { hasOwnImages, listAccess, listReceived } from './share-lists.sql.ts'

export const shareAccess: Handler<typeof studyShareAccess> = async ({ services, on }) => {
  const { record, membership } = on
  const [shares, received, hasCopy] = await Promise.all([
    listAccess(services.db, record.uuid),
    listReceived(services.db, record),
    hasOwnImages(services.db, record),
  ])
  return { owner: { kind: membership.kind, name: membership.name }, received, shares, has_copy: hasCopy }
}
