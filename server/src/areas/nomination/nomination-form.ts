import { ApiError } from '@hilum/contract/errors'
import { prioritiesOf } from '@hilum/contract/gate-fields'
import type { InboxConfig } from '@hilum/contract/inbox-config'
import type { Db } from '../../db/database.ts'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'
import { readFieldValues } from '../customfield/field-values.policy.ts'
import { findInboxConfig } from '../setting/inbox-config.sql.ts'
import { isGatekeeperGroup } from './gatekeeper-group.sql.ts'
import { rankOf } from './gate-values.ts'

/** The answers to the form of a gatekeeper group. */
export interface NominationForm {
  /** By the uuids of the custom fields. */
  answers: Record<string, string>
  /** Place among the group's priorities, 0 for the default; what has the highest comes first in the group's list. */
  priority: number
}

/**
 * The configuration by which exams leave a place; undefined where the place is no gatekeeper group, and `unreadable` where
 * it is one whose configuration was never set, cannot be read, or is that of another kind of group.
 */
export async function findGateConfig(db: Db, namespaceUuid: string): Promise<InboxConfig | 'unreadable' | undefined> {
  const config = await findInboxConfig(db, namespaceUuid)
  if (config?.group_designation === 'GATEKEEPER') return config
  return (await isGatekeeperGroup(db, namespaceUuid)) ? 'unreadable' : undefined
}

/** The fields that a gatekeeper group asks for, in its order and with its own priorities, and how many it names that are gone. */
export function formFields(
  config: InboxConfig | undefined,
  definitions: readonly CustomFieldRow[],
): { fields: CustomFieldRow[]; missing: number } {
  const asked = config?.pacs_form_customfields.map((one) => one.toLowerCase()) ?? []
  const found = asked.flatMap((uuid) => definitions.find((one) => one.uuid === uuid) ?? [])
  // the account's field has those of all groups
  const values = [...prioritiesOf(config)]
  const fields = found.map((one) =>
    one.gate_key === 'priority' ? { ...one, options: { ...one.options, values } } : one,
  )
  return { fields, missing: asked.length - fields.length }
}

const sentField = /^customfield-(.+)$/i

/**
 * The answers that were sent. Fields of the gate that outside clients send along are passed over: the nomination writes
 * them itself (NOMINATE-04).
 * @throws ApiError NOT_SUPPORTED where the form names fields that are gone; MISSING_FIELDS, INVALID_CUSTOMFIELD for answers
 */
export function readNominationForm(
  config: InboxConfig | undefined,
  definitions: readonly CustomFieldRow[],
  raw: Readonly<Record<string, unknown>>,
): NominationForm {
  const { fields, missing } = formFields(config, definitions)
  if (!config || missing > 0) throw new ApiError('NOT_SUPPORTED', { subtype: 'inbox_config' })
  const asked = new Set(fields.map((one) => one.uuid))
  const passedOver = new Set(definitions.filter((one) => one.gate_key && !asked.has(one.uuid)).map((one) => one.uuid))
  const sent = Object.entries(raw).filter(([key, value]) => {
    const uuid = sentField.exec(key)?.[1]?.toLowerCase()
    return uuid !== undefined && !passedOver.has(uuid) && !(typeof value === 'string' && value.trim() === '')
  })
  const values = readFieldValues(fields, Object.fromEntries(sent))
  const answers = Object.fromEntries(values.map((one) => [one.uuid, one.value]))
  const unanswered = fields.filter((one) => one.required && !answers[one.uuid]).map((one) => one.name)
  if (unanswered.length > 0) throw new ApiError('MISSING_FIELDS', { subtype: unanswered })
  const priority = fields.find((one) => one.gate_key === 'priority')
  return { answers, priority: rankOf(prioritiesOf(config), priority && answers[priority.uuid]) }
}
