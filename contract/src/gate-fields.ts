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
