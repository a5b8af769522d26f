import { mayDo } from '@hilum/contract/acts'
import type { Caller, Membership } from '../../access/caller.ts'
import { visibleStudies } from '../../access/study-scope.ts'
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
    studies: await visibleStudies(caller),
  }
}

/**
 * The group that a caller puts an order into: one where the caller may edit orders, too.
 * @returns undefined when it is none of these; null for no group
 */
export async function findOrderPlace(
  caller: Caller,
  account: Membership,
  namespaceUuid: string,
): Promise<string | null | undefined> {
  if (namespaceUuid === '') return null
  const place = (await caller.memberships()).find((one) => one.namespaceUuid === namespaceUuid)
  const isOfAccount = place?.accountUuid === account.accountUuid
  return place && isOfAccount && place.kind !== 'user' && mayDo('editOrders', place) ? namespaceUuid : undefined
}

/** Whether an order is among those of the scope. */
export function isInScope(scope: OrderScope, order: { account_uuid: string; namespace_uuid: string | null }): boolean {
  if (order.account_uuid !== scope.accountUuid) return false
  return order.namespace_uuid === null ? scope.isWithoutGroup : scope.namespaces.includes(order.namespace_uuid)
}
