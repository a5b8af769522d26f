import type { customfieldUsage } from '@hilum/contract/calls/customfield'
import type { Handler } from '../handler.ts'
import { findCustomField } from './customfield.sql.ts'
import { countValues, listUsesOfField } from './field-usage.sql.ts'

export const usage: Handler<typeof customfieldUsage> = async ({ services: { db }, input, on, fail }) => {
  const field = await findCustomField(db, input.uuid)
  if (!field) throw fail('NOT_FOUND')
  const [filled, uses] = await Promise.all([countValues(db, field), listUsesOfField(db, on.ownerUuid, field.uuid)])
  return { filled, forms: uses.groups, rules: uses.routes, gate: field.gate_key ? 1 : 0 }
}
