import type { customfieldSet } from '@hilum/contract/calls/customfield'
import { isDeepStrictEqual } from 'node:util'
import { writeAudit } from '../audit/audit.sql.ts'
import { demandUnchanged } from '../demand-unchanged.ts'
import type { Handler } from '../handler.ts'
import { presentCustomField } from './customfield.presenter.ts'
import { type CustomFieldRow, lockCustomField, saveCustomField } from './customfield.sql.ts'
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
      detail: changesOf(before, after),
    })
  })
  return {}
}

/** Each value of a definition that changed, as `[old, new]`; those that outside clients keep by their own names. */
function changesOf(before: CustomFieldRow, after: CustomFieldRow): Record<string, [unknown, unknown]> {
  const [from, to] = [valuesOf(before), valuesOf(after)]
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  const changed = [...names].filter((name) => !isDeepStrictEqual(from[name] ?? null, to[name] ?? null))
  return Object.fromEntries(changed.map((name) => [name, [from[name] ?? null, to[name] ?? null]]))
}

function valuesOf(row: CustomFieldRow): Record<string, unknown> {
  const { name, required, options, ui_json, field_flag, display_order, extra } = row
  return { ...extra, name, required: Number(required), options, ui_json, field_flag, display_order }
}
