import type { customfieldGet } from '@hilum/contract/calls/customfield'
import type { Handler } from '../handler.ts'
import { presentCustomField } from './customfield.presenter.ts'
import { findCustomField } from './customfield.sql.ts'

export const get: Handler<typeof customfieldGet> = async ({ services, input, fail }) => {
  const row = await findCustomField(services.db, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  return presentCustomField(row)
}
