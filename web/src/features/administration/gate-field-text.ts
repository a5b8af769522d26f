import { hasLabel, t } from '../../labels/label.ts'

/** Words for a custom field that nominations write, by its key; empty of every other. */
export function gateFieldText(key: string): string {
  const known = `customFields.gate.${key}`
  return hasLabel(known) ? t(known as 'customFields.gate.submitted_at') : '' // without slots
}
