import type { Order } from '@hilum/contract/calls/order'
import { presentFieldValues } from '../customfield/customfield.presenter.ts'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'
import type { OrderRow } from './order.sql.ts'

export function presentOrder(row: OrderRow, definitions: readonly CustomFieldRow[]): Omit<Order, 'studies'> {
  return { ...row, customfields: presentFieldValues(definitions, row.customfields) }
}
