import { customfieldList, type CustomFieldObject } from '@hilum/contract/calls/customfield'
import type { CustomField } from '@hilum/contract/entities/page-fields'
import { useQuery } from '@tanstack/react-query'
import { definitionsQuery } from '../../queries/custom-field-definitions.ts'
import { useEstablished } from '../../session/session-store.ts'
import { useMayCall } from '../../session/use-may.ts'

/** Custom fields of an object; undefined while those of a new one are not known. */
interface KnownFields {
  fields: readonly CustomField[] | undefined
  isFailed: boolean
  onRetry: () => void
}

/** Custom fields of an object, and for a new one those that are defined for its kind, where the person may see them. */
export function useObjectFields(
  kind: CustomFieldObject,
  object: { customfields: readonly CustomField[] } | undefined,
): KnownFields {
  const { account } = useEstablished()
  const maySeeFields = useMayCall(customfieldList)
  const isAsked = !object && maySeeFields
  const { data, isLoadingError, refetch } = useQuery({ ...definitionsQuery(account.uuid), enabled: isAsked })
  const defined = data?.filter((one) => one.object === kind).map((one) => ({ ...one, value: '' }))
  return {
    fields: object?.customfields ?? (isAsked ? defined : []),
    isFailed: isAsked && isLoadingError,
    onRetry: () => void refetch(),
  }
}
