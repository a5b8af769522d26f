import type { customfieldSet } from '@hilum/contract/calls/customfield'
import { writeAudit } from '../audit/audit.sql.ts'
import { demandUnchanged } from '../demand-unchanged.ts'
import type { Handler } from '../handler.ts'
import { presentCustomField } from './customfield.presenter.ts'
import { lockCustomField, saveCustomField } from './customfield.sql.ts'
import { readDefinition } from './read-definition.ts'

export const set: Handler<typeof customfieldSet> = async ({ services, input, caller, on, fail }) => {
  await services.db.transaction().execute(async (tx) => {
    const before = await lockCustomField(tx, input.uuid)
    if (!before) throw fail('NOT_FOUND')
    demandUnchanged(input.seen, presentCustomField(before))
    const after = readDefinition(before, input)
    await saveCustomField(tx, after)
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'EDIT',
      type: 'Customfield',
      objectUuid: before.uuid,
      detail: before.name === after.name ? {} : { name: [before.name, after.name] },
    })
  })
  return {}
}
