import type { CustomField } from '@hilum/contract/entities/page-fields'
import type { Tx } from '../../db/database.ts'
import { listDefinitions } from './customfield.sql.ts'
import { mergeFieldValues, readFieldValues, sendsFieldValues } from './field-values.policy.ts'
import { type FieldOwner, lockFieldValues, saveFieldValues } from './object-values.sql.ts'

/**
 * Changes the values of custom fields that a call sent as `customfield-{uuid}`; all others stay.
 * @returns old and new value by `customfield-{name}`, for the record; fields of one name have their uuid behind it
 * @throws ApiError INVALID_CUSTOMFIELD
 */
export async function changeFieldValues(
  tx: Tx,
  owner: FieldOwner,
  raw: Readonly<Record<string, unknown>>,
): Promise<Record<string, [string, string]>> {
  if (!sendsFieldValues(raw)) return {}
  const values = readFieldValues(await listDefinitions(tx, [owner.accountUuid], owner.object), raw)
  const before = await lockFieldValues(tx, owner)
  const changed = values.filter((one) => one.value !== (before[one.uuid] ?? ''))
  if (changed.length > 0) await saveFieldValues(tx, owner, mergeFieldValues(before, changed))
  const isShared = (name: string) => changed.filter((one) => one.name === name).length > 1
  return Object.fromEntries(
    changed.map(({ uuid, name, value }) => [
      `customfield-${name}${isShared(name) ? ` (${uuid})` : ''}`,
      [before[uuid] ?? '', value],
    ]),
  )
}

/** Values by the names under which calls take them, to be held against the ones that a caller read. */
export function valuesAsRead(fields: readonly CustomField[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ uuid, value }) => [`customfield-${uuid}`, value]))
}
