import type { accountCanShareList } from '@hilum/contract/calls/account-can-share'
import type { Handler } from '../handler.ts'
import { listConnected } from './connection.sql.ts'

export const canShareList: Handler<typeof accountCanShareList> = async ({ services, on }) => {
  const connected = await listConnected(services.db, on.ownerUuid)
  const rules = connected.map((one) => ({
    by_type: 'account' as const,
    by_id: on.ownerUuid,
    with_type: 'account' as const,
    ...one,
  }))
  return { rules }
}
