import type { customfieldDelete } from '@hilum/contract/calls/customfield'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { isUsed } from '../routing/uses.sql.ts'
import { findCustomField, markCustomFieldDeleted } from './customfield.sql.ts'
import { listUsesOfField } from './field-usage.sql.ts'

export const remove: Handler<typeof customfieldDelete> = async ({ services, input, caller, on, fail }) => {
  await services.db.transaction().execute(async (tx) => {
    const row = await findCustomField(tx, input.uuid)
    if (!row) throw fail('NOT_FOUND')
    if (row.gate_key) throw fail('IN_USE')
    const uses = await listUsesOfField(tx, on.ownerUuid, row.uuid)
    if (isUsed(uses)) throw fail('IN_USE', { data: uses })
    await markCustomFieldDeleted(tx, row.uuid)
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'DELETE',
      type: 'Customfield',
      objectUuid: row.uuid,
      detail: { name: row.name },
    })
  })
  return {}
}
