import type { groupGet } from '@hilum/contract/calls/group'
import type { Handler } from '../handler.ts'
import { findGroup } from './group.sql.ts'
import { readPlace } from '../location/read-place.ts'

/** How the inbox works is told to members and to those who run the place, who may send to it to the latter alone. */
export const get: Handler<typeof groupGet> = async ({ services, on, fail }) => {
  const row = await findGroup(services.db, on.groupUuid)
  if (!row) throw fail('NOT_FOUND')
  return readPlace(services.db, row, on)
}
