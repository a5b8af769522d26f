import { customfieldList, type CustomFieldObject } from '@hilum/contract/calls/customfield'
import type { CustomField } from '@hilum/contract/entities/page-fields'
import { useQuery } from '@tanstack/react-query'
import { definitionsQuery } from '../../queries/custom-field-definitions.ts'
import { useEstablished } from '../../session/session-store.ts'
import { useMayCall } from '../../session/use-may.ts'

/** Custom fields of an object, and for a new one those that are defined for its kind, where the person may see them. */
export function useObjectFields(
  kind: CustomFieldObject,
  object: { customfields: readonly CustomField[] } | undefined,
): readonly CustomField[] {
  const { account } = useEstablished()
  const maySeeFields = useMayCall(customfieldList)
  const { data = [] } = useQuery({ ...definitionsQuery(account.uuid), enabled: !object && maySeeFields })
  if (object) return object.customfields
  return data.filter((one) => one.object === kind).map((one) => ({ ...one, value: '' }))
}
