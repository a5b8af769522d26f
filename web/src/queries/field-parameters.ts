import type { CustomField } from '@hilum/contract/entities/page-fields'

type Values = Readonly<Record<string, string>>
interface Filled {
  customfields: readonly Pick<CustomField, 'uuid' | 'value'>[]
}

/** Values by the uuids of their fields. */
export function fieldValues(object: Filled | undefined): Record<string, string> {
  return Object.fromEntries((object?.customfields ?? []).map(({ uuid, value }) => [uuid, value]))
}

/** Values under the names by which calls take them. */
export function fieldParameters(values: Values): Record<`customfield-${string}`, string> {
  return Object.fromEntries(Object.entries(values).map(([uuid, value]) => [`customfield-${uuid}`, value]))
}

/** Values of a new object: a field that is left empty is not sent. */
export function filledParameters(values: Values): Record<`customfield-${string}`, string> {
  return fieldParameters(Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== '')))
}

/** Values of an object as it was read, under the names by which calls take them. */
export function fieldsAsRead(object: Filled): Record<`customfield-${string}`, string> {
  return fieldParameters(fieldValues(object))
}
