import type { CustomFieldType } from './calls/customfield.ts'

/**
 * The custom fields that tell outside clients of a nomination (ENTITY-07, ENTITY-08), by their key in
 * `meta_info_customfields`, where their uuids stand. The nomination itself is the truth and writes them; people fill in
 * `push_destination` and `priority` alone.
 */
export const gateFields = {
  submission_status: 'bool',
  selected_gatekeeper: 'text',
  submitted_at: 'text',
  source_study_id: 'text',
  is_process_form_rejected: 'bool',
  process_rejection_reason: 'text',
  process_rejection_message: 'memo',
  nomination_push_status: 'text',
  push_destination: 'text',
  priority: 'radio',
} as const satisfies Record<string, CustomFieldType>
export type GateField = keyof typeof gateFields

/** Fields of the gate that people fill in. */
export const filledGateFields: ReadonlySet<string> = new Set<GateField>(['push_destination', 'priority'])

/** PROCESS-13: the first is the default. */
export const processPriorities = ['Routine', 'Priority'] as const

/** Most values of the priority, and most characters of one. */
export const maxPriorities = 10
const maxPriorityLength = 64

/** Values of the priority in a gatekeeper group: the default first, then the more urgent ones in their order. */
export function prioritiesOf(
  config: { priority_values?: readonly string[] | undefined } | undefined,
): readonly string[] {
  return config?.priority_values ?? processPriorities
}

/** Whether a group can have these values: a default and at least one more, each of them once. */
export function arePriorities(values: readonly string[]): boolean {
  const isWord = (one: string) =>
    one.trim() === one && one !== '' && one.length <= maxPriorityLength && !/\p{Cc}/u.test(one)
  const different = new Set(values.map((one) => one.toLowerCase()))
  return (
    values.length >= 2 && values.length <= maxPriorities && different.size === values.length && values.every(isWord)
  )
}
