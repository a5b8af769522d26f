import { expect, it } from 'vitest'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'
import { presentOrder } from './order.presenter.ts'
import type { OrderRow } from './order.sql.ts'

it('shows an order with the fields that its account defines', () => {
  const row = { uuid: 'order', customfields: { ward: '3B' } } as unknown as OrderRow
  const definition = { uuid: 'ward', name: 'Ward', type: 'text', required: false } as CustomFieldRow
  expect(presentOrder(row, [definition])).toMatchObject({
    uuid: 'order',
    customfields: [{ uuid: 'ward', name: 'Ward', value: '3B', required: 0 }],
  })
})
