import { filledGateFields } from '@hilum/contract/gate-fields'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'
import type { FieldValue } from '../customfield/field-values.policy.ts'

interface GateValues {
  /** Fields that are written as they were sent. */
  values: FieldValue[]
  /** Rank of the value of the field `priority`, where it was sent. */
  priority?: { field: string; rank: number }
  /** Somebody marks the study as rejected. */
  rejection?: { reason: string; message: string }
}

/**
 * Parts values that outside clients send for fields of the gate (NOMINATE-04, API-17) from the others. A nomination writes
 * its own fields: of what is sent for them a rejection is heard, and the rest passed over.
 * @param priorities of the place where the study lies, the default first
 */
export function partGateValues(
  definitions: readonly CustomFieldRow[],
  sent: readonly FieldValue[],
  priorities: readonly string[],
): GateValues {
  const keys = new Map(definitions.flatMap((one) => (one.gate_key ? [[one.uuid, one.gate_key] as const] : [])))
  const values = sent.filter(({ uuid }) => !keys.has(uuid) || filledGateFields.has(keys.get(uuid) ?? ''))
  const of = (key: string) => sent.find(({ uuid }) => keys.get(uuid) === key)?.value
  const priority = sent.find(({ uuid }) => keys.get(uuid) === 'priority')
  const isRejected = of('is_process_form_rejected') === '1'
  return {
    values,
    ...(priority === undefined ? {} : { priority: { field: priority.uuid, rank: rankOf(priorities, priority.value) } }),
    ...(isRejected
      ? {
          rejection: {
            reason: of('process_rejection_reason') ?? '',
            message: of('process_rejection_message') ?? '',
          },
        }
      : {}),
  }
}

/** Place of a value among the priorities of a group; 0 for the default, and for a value that the group does not have. */
export function rankOf(priorities: readonly string[], value: string | undefined): number {
  return Math.max(0, priorities.indexOf(value ?? ''))
}

/**
 * Whether a value is the destination or priority, which whoever sends the exam chooses: the access to its field says what is
 * shown of it, and keeps only others from writing it.
 */
export function isOfSender(definitions: readonly CustomFieldRow[], { uuid }: Pick<FieldValue, 'uuid'>): boolean {
  return filledGateFields.has(definitions.find((one) => one.uuid === uuid)?.gate_key ?? '')
}
