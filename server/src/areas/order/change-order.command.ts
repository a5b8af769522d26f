import { ApiError } from '@hilum/contract/errors'
import type { Caller, Membership } from '../../access/caller.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { findOrderPlace, isInScope, visibleOrders } from './order.policy.ts'
import { type StoredOrder, lockOrder } from './order-write.sql.ts'

/**
 * Changes an order that the caller sees, in one transaction with its line in the audit, and rings; without a detail nothing
 * changed.
 * @returns undefined when the caller sees no such order
 * @throws ApiError NOT_PERMITTED for an order of a group where the caller may only see orders
 */
export async function changeOrder<Result>(
  { db, events }: Pick<Services, 'db' | 'events'>,
  { caller, account, uuid }: { caller: Caller; account: Membership; uuid: string },
  change: (
    tx: Tx,
    before: StoredOrder,
  ) => Promise<{ result: Result; action: 'EDIT' | 'DELETE'; detail: Record<string, unknown> }>,
): Promise<{ result: Result } | undefined> {
  const scope = await visibleOrders(caller, account)
  const changed = await db.transaction().execute(async (tx) => {
    const before = await lockOrder(tx, uuid)
    if (!before || !isInScope(scope, before)) return undefined
    const isEditable = (await findOrderPlace(caller, account, before.namespace_uuid ?? '')) !== undefined
    if (!isEditable) throw new ApiError('NOT_PERMITTED')
    const { result, action, detail } = await change(tx, before)
    if (Object.keys(detail).length > 0) await noteOrderChange(tx, caller, before, action, detail)
    return { result }
  })
  events.ring()
  return changed
}

/** Notes what was done to an order, and tells those who look at the orders of its group. */
export async function noteOrderChange(
  tx: Tx,
  caller: Caller | undefined,
  order: Pick<StoredOrder, 'uuid' | 'account_uuid' | 'namespace_uuid'>,
  action: 'ADD' | 'EDIT' | 'DELETE',
  detail: Record<string, unknown>,
): Promise<void> {
  const place = order.namespace_uuid ? { phiNamespace: order.namespace_uuid } : {}
  const object = { accountUuid: order.account_uuid, objectUuid: order.uuid, type: 'Order' as const, ...place }
  await writeAudit(tx, { ...object, caller, action, detail })
  if (order.namespace_uuid) await writeEvent(tx, 'order', order.namespace_uuid, order.uuid)
}
