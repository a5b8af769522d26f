import {
  type CustomFieldDefinition,
  customfieldAdd,
  customfieldDelete,
  customfieldList,
  type CustomFieldObject,
  type CustomFieldOptions,
  customfieldSet,
  type CustomFieldType,
  customfieldUsage,
} from '@hilum/contract/calls/customfield'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { callBundle } from '../api/call-bundle.ts'
import type { GridView } from '../ui/grid-view.ts'
import { within } from './account-groups.ts'
import { changedFields } from './changed-fields.ts'
import { pageOf } from './page-of.ts'
import { wholeList } from './whole-list.ts'

export type { CustomFieldDefinition }

const key = 'custom-field-definitions'

/** All definitions of an account, in the order of display. */
export function definitionsQuery(accountId: string) {
  return queryOptions({
    queryKey: [key, accountId],
    queryFn: ({ signal }) =>
      wholeList<CustomFieldDefinition>(async (list) => {
        const { customfields, page } = await callApi(customfieldList, { account_id: accountId }, { signal, list })
        return { rows: customfields, page }
      }),
    staleTime: 0,
  })
}

export type DefinitionFilters = { name: string; object: '' | CustomFieldObject }
export const noDefinitionFilters: DefinitionFilters = { name: '', object: '' }

/** A page of the definitions of an account. */
export function definitionsPageQuery(accountId: string, view: GridView, { name, object }: DefinitionFilters) {
  return queryOptions({
    queryKey: [key, 'page', accountId, view, name, object],
    queryFn: ({ signal }) =>
      callApi(
        customfieldList,
        { account_id: accountId },
        {
          signal,
          list: {
            ...pageOf(view),
            'filter.name.like': within(name),
            'filter.object.equals': object || undefined,
          },
        },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}

/** Values, forms and rules that would be lost with a field. */
export function fieldUsageQuery(uuid: string) {
  return queryOptions({
    queryKey: ['custom-field-usage', uuid], // beside the list: once the field is deleted, nobody asks for it again
    queryFn: ({ signal }) => callApi(customfieldUsage, { uuid }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

export interface DefinitionValues {
  name: string
  object: CustomFieldObject
  type: CustomFieldType
  required: 0 | 1
  /** Of fields of exams alone. */
  capture_on_share_code?: 0 | 1
  field_flag: string
  options: CustomFieldOptions
  ui_json: Record<string, unknown>
  /** The field as the form shows it; undefined saves whatever others changed meanwhile. */
  seen?: Readonly<Record<string, unknown>> | undefined
}

/** Makes a definition, or changes what differs of one; object and type stay as they were made. */
export function useSaveDefinition(accountId: string, field: CustomFieldDefinition | undefined, place: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ before, ...sent }: DefinitionValues & { before: DefinitionValues }) => {
      const { object, type, seen, ...values } = sent
      if (field) await callApi(customfieldSet, { ...changedFields(before, values), uuid: field.uuid, seen })
      else await callApi(customfieldAdd, { ...values, object, type, account_id: accountId, display_order: place })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [key] }),
  })
}

export function useDeleteDefinition() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ uuid }: CustomFieldDefinition) => callApi(customfieldDelete, { uuid }),
    onSuccess: () => client.invalidateQueries({ queryKey: [key] }),
  })
}

/** Numbers definitions from 1 in a new order; under way until the lists are read again. */
export function useOrderDefinitions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (ordered: readonly CustomFieldDefinition[]) => {
      const moved = ordered
        .map(({ uuid, display_order }, at) => ({ uuid, display_order, place: at + 1 }))
        .filter((one) => one.display_order !== one.place)
      const items = moved.map(({ uuid, place }) => ({ parameters: { uuid, display_order: place } }))
      const refused = (await callBundle(customfieldSet, items)).find((one) => !one.isDone)
      if (refused && !refused.isDone) throw refused.failure
    },
    onSettled: () => client.invalidateQueries({ queryKey: [key] }),
  })
}
