import type { accountUserLeavers } from '@hilum/contract/calls/account-leaver'
import type { Handler } from '../handler.ts'
import { listHoldings, listLeavers } from './holdings.sql.ts'

export const userLeavers: Handler<typeof accountUserLeavers> = async ({ services, on }) => {
  const leavers = []
  for (const one of await listLeavers(services.db, on.ownerUuid)) {
    const holdings = await listHoldings(services.db, on.ownerUuid, one.user_id)
    leavers.push({ ...one, holdings: holdings.map(({ kind, count }) => ({ kind, count })) })
  }
  return { leavers: leavers.filter(({ holdings }) => holdings.length > 0) }
}
