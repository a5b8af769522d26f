import { mayDo } from '@hilum/contract/acts'
import type { Caller, Membership } from '../../access/caller.ts'
import type { OrderScope } from './order.sql.ts'

/**
 * Orders of an account that a caller sees: those of the groups where the role holds order_view. Orders without a group
 * are for who may edit the account's orders, as their group is still to be found.
 */
export async function visibleOrders(caller: Caller, account: Membership): Promise<OrderScope> {
  const places = (await caller.memberships()).filter(
    (one) => one.accountUuid === account.accountUuid && mayDo('seeOrders', one),
  )
  return {
    accountUuid: account.ownerUuid,
    namespaces: places.map((one) => one.namespaceUuid),
    isWithoutGroup: mayDo('seeOrdersWithoutGroup', account),
  }
}
