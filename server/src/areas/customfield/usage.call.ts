import type { customfieldUsage } from '@hilum/contract/calls/customfield'
import type { Handler } from '../handler.ts'
import { findCustomField } from './customfield.sql.ts'
import { countValues, listFormsThatAsk, listRulesOnField } from './field-usage.sql.ts'

export const usage: Handler<typeof customfieldUsage> = async ({ services: { db }, input, on, fail }) => {
  const field = await findCustomField(db, input.uuid)
  if (!field) throw fail('NOT_FOUND')
  const [filled, forms, rules] = await Promise.all([
    countValues(db, field),
    listFormsThatAsk(db, on.ownerUuid, field.uuid),
    listRulesOnField(db, on.ownerUuid, field.uuid),
  ])
  return { filled, forms, rules, gate: field.gate_key ? 1 : 0 }
}
