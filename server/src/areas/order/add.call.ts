import { randomUUID } from 'node:crypto'
import type { orderAdd } from '@hilum/contract/calls/order'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { readFieldValues } from '../customfield/field-values.policy.ts'
import type { Handler } from '../handler.ts'
import { noteOrderChange } from './change-order.command.ts'
import { emptyOrder } from './empty-order.ts'
import { findOrderPlace } from './order.policy.ts'
import { type StoredOrder, saveOrder } from './order-write.sql.ts'
import { issuerAfter, readOrder } from './read-order.ts'

export const add: Handler<typeof orderAdd> = async ({ services, input, raw, caller, on, fail }) => {
  const place = await findOrderPlace(caller, on, input.namespace_id ?? '')
  if (place === undefined) throw fail('NOT_FOUND')
  const values = readFieldValues(await listDefinitions(services.db, [on.ownerUuid], 'Order'), raw)
  const empty = { ...emptyOrder, uuid: randomUUID(), account_uuid: on.ownerUuid, namespace_uuid: place }
  const read = readOrder(empty, input)
  const order: StoredOrder = {
    ...read,
    issuer: issuerAfter(empty, read.patientid, input.issuer, []),
    source: caller.kind === 'key' ? 'program' : 'person',
    customfields: Object.fromEntries(values.filter((one) => one.value).map((one) => [one.uuid, one.value])),
  }
  await services.db.transaction().execute(async (tx) => {
    await saveOrder(tx, order)
    await noteOrderChange(tx, caller, order, 'ADD', { accession_number: order.accession_number })
  })
  services.events.ring()
  return { uuid: order.uuid }
}
