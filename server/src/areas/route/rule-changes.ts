import type { RuleRow } from './route.sql.ts'

const compared = [
  'namespace_uuid',
  'other_namespaces',
  'suspended',
  'flags',
  'conditions',
  'actions',
  'options',
  'schedule',
  'delay_seconds',
  'delay_from_study_field',
  'delay_from_study_seconds',
  'manual_roles',
] as const

/** Parts of a rule that differ, each with the old and the new value, for the record. */
export function changesOfRule(before: RuleRow, after: RuleRow): Record<string, [unknown, unknown]> {
  const differing = compared.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  return Object.fromEntries(differing.map((key) => [key, [before[key], after[key]]]))
}
