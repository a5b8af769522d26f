import type { accountUserHoldings } from '@hilum/contract/calls/account-leaver'
import type { Handler } from '../handler.ts'
import { findLeaver, listHoldings } from './holdings.sql.ts'

export const userHoldings: Handler<typeof accountUserHoldings> = async ({ services, input, on, fail }) => {
  const person = await findLeaver(services.db, on.ownerUuid, input.user_id)
  if (!person) throw fail('USER_NOT_FOUND')
  return { ...person, holdings: await listHoldings(services.db, on.ownerUuid, person.user_id) }
}
