import { randomUUID } from 'node:crypto'
import type { customfieldAdd } from '@hilum/contract/calls/customfield'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { saveCustomField } from './customfield.sql.ts'
import { readDefinition } from './read-definition.ts'

export const add: Handler<typeof customfieldAdd> = async ({ services, input, caller, on }) => {
  const { type = 'text', object, name } = input
  const uuid = randomUUID()
  const empty = { display_order: null, required: false, options: null, ui_json: null, field_flag: '', extra: {} }
  const definition = readDefinition({ uuid, account_uuid: on.ownerUuid, name, object, type, ...empty }, input)
  await services.db.transaction().execute(async (tx) => {
    await saveCustomField(tx, definition)
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'CREATE',
      type: 'Customfield',
      objectUuid: uuid,
      detail: { name: definition.name },
    })
  })
  return { uuid }
}
