import type { customfieldLookup } from '@hilum/contract/calls/customfield'
import type { Handler } from '../handler.ts'
import { findCustomFieldByName } from './customfield.sql.ts'

export const lookup: Handler<typeof customfieldLookup> = async ({ services, input, on, fail }) => {
  const row = await findCustomFieldByName(services.db, on.ownerUuid, input.name)
  if (!row) throw fail('NOT_FOUND')
  return { uuid: row.uuid, object: row.object, type: row.type }
}
