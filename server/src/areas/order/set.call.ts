import type { orderSet } from '@hilum/contract/calls/order'
import { valuesAsRead } from '../customfield/change-field-values.command.ts'
import { presentFieldValues } from '../customfield/customfield.presenter.ts'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { mergeFieldValues, readFieldValues } from '../customfield/field-values.policy.ts'
import { demandUnchanged } from '../demand-unchanged.ts'
import { writeEvent } from '../event/event.sql.ts'
import type { Handler } from '../handler.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import { changeOrder } from './change-order.command.ts'
import { findOrderPlace } from './order.policy.ts'
import { saveOrder } from './order-write.sql.ts'
import { changesBetween, issuerAfter, readOrder } from './read-order.ts'

export const set: Handler<typeof orderSet> = async ({ services, input, raw, caller, on, fail }) => {
  const { db } = services
  const place = input.namespace_id === undefined ? undefined : await findOrderPlace(caller, on, input.namespace_id)
  if (input.namespace_id !== undefined && place === undefined) throw fail('NOT_FOUND')
  const definitions = await listDefinitions(db, [on.ownerUuid], 'Order')
  const values = readFieldValues(definitions, raw)
  const changed = await changeOrder(services, { caller, account: on, uuid: input.uuid }, async (tx, before) => {
    const fields = valuesAsRead(presentFieldValues(definitions, before.customfields))
    demandUnchanged(input.seen, { ...before, namespace_id: before.namespace_uuid, ...fields })
    const read = readOrder(before, input)
    const after = {
      ...read,
      issuer: issuerAfter(before, read.patientid, input.issuer, await findOwnNames(tx, before.account_uuid)),
      ...(place === undefined ? {} : { namespace_uuid: place }),
      customfields: mergeFieldValues(before.customfields, values),
    }
    await saveOrder(tx, after)
    const isMoved = after.namespace_uuid !== before.namespace_uuid
    if (isMoved && after.namespace_uuid) await writeEvent(tx, 'order', after.namespace_uuid, after.uuid)
    return { result: undefined, action: 'EDIT', detail: changesBetween(before, after) }
  })
  if (!changed) throw fail('NOT_FOUND')
  return {}
}
