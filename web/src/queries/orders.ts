import {
  type Order,
  orderAdd,
  orderCancel,
  orderDelete,
  orderGet,
  orderHistory,
  orderList,
  orderSet,
  orderSpsAdd,
  orderSpsDelete,
  orderSpsSet,
  type OrderEvent,
} from '@hilum/contract/calls/order'
import { studyList } from '@hilum/contract/calls/study'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import type { GridView } from '../ui/grid-view.ts'
import { within } from './account-groups.ts'
import { changedFields } from './changed-fields.ts'
import { fieldParameters, fieldsAsRead } from './field-parameters.ts'

export type { Order, OrderEvent }

/** Filters that may stand in an address: none of them names a patient. */
export type OrderFilters = {
  modality: string
  status: string
  from: string
  to: string
  /** Orders that have exams, or none yet. */
  exams: '' | 'some' | 'none'
}
export const noOrderFilters: OrderFilters = { modality: '', status: '', from: '', to: '', exams: '' }

export const orderFilters = ['accession_number', 'patient_name', 'patientid'] as const
export type OrderFilter = (typeof orderFilters)[number]

/** The patient or order that is looked for. */
export interface OrderSearch {
  by: OrderFilter
  value: string
}

/** First part of the keys of everything on the page of orders. */
export const orderKey = 'orders'
const date = 'filter.scheduled_procedure_step_start_date'
/** Reports that wait come by messages from outside: the page asks again while it is looked at. */
export const readAgainMs = 20_000
/** Orders of no group have no events. */
const readOrdersAgainMs = 60_000

/** Status of a cancelled order among those of steps. */
export const cancelledStatus = 'CANCELLED'

/** Orders that still wait for their exams are none that were cancelled. */
function cancelledOf({ status, exams }: OrderFilters): 0 | 1 | undefined {
  if (status === cancelledStatus) return 1
  return exams === 'none' ? 0 : undefined
}

/** A page of the orders of an account. */
export function ordersQuery(accountId: string, view: GridView, filters: OrderFilters, { by, value }: OrderSearch) {
  const { page, rows, sort } = view
  const searched = { [`filter.${by}.like`]: by === 'accession_number' ? value : within(value) }
  const list = {
    'page.rows': rows,
    'page.number': page,
    sort_by: `${sort.field}-${sort.isDescending ? 'desc' : 'asc'}`,
    'filter.modality.equals': filters.modality.trim().toUpperCase() || undefined,
    'filter.mpps_status.equals': filters.status === cancelledStatus ? undefined : filters.status || undefined,
    'filter.is_cancelled.equals': cancelledOf(filters),
    'filter.study_count.equals': filters.exams === 'none' ? 0 : undefined,
    'filter.study_count.gt': filters.exams === 'some' ? 0 : undefined,
    [`${date}.ge`]: filters.from || undefined,
    [`${date}.le`]: filters.to || undefined,
    ...(value ? searched : {}),
  }
  return queryOptions({
    queryKey: [orderKey, 'page', accountId, view, filters, by, value],
    queryFn: async ({ signal }) => {
      const { orders, page: answered } = await callApi(orderList, { account_id: accountId }, { signal, list })
      return { orders: orders as Order[], page: answered } // no fields were left out
    },
    placeholderData: keepPreviousData,
    refetchInterval: readOrdersAgainMs,
    staleTime: 0,
    gcTime: 0,
  })
}

/** Orders by what is known of them (PROCESS-07). */
export const foundOrdersQuery = (accountUuid: string, filter: OrderFilter, value: string) =>
  queryOptions({
    queryKey: [orderKey, accountUuid, filter, value],
    // an order may have been changed since it was last found
    staleTime: 0,
    queryFn: async ({ signal }) => {
      // a number as a whole: whoever sends an exam has it before them
      const term = filter === 'patient_name' ? `%${value}%` : value
      const list = { [`filter.${filter}.like`]: term, 'filter.is_cancelled.equals': 0 }
      const { orders, page } = await callApi(orderList, { account_id: accountUuid }, { signal, list })
      return { orders, hasMore: page.more === 1 }
    },
  })

export const orderKeyOf = (uuid: string) => [orderKey, 'one', uuid]

/** An order as it is now. */
export function orderQuery(uuid: string) {
  return queryOptions({
    queryKey: orderKeyOf(uuid),
    queryFn: ({ signal }) => callApi(orderGet, { uuid }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** The history of an order, newest first. */
export function orderHistoryQuery(uuid: string) {
  return queryOptions({
    queryKey: [orderKey, 'history', uuid],
    queryFn: async ({ signal }) => (await callApi(orderHistory, { uuid }, { signal })).events,
    staleTime: 0,
    gcTime: 0,
  })
}

const shownStudies = 20

/**
 * Exams that belong to an order, and others that have its accession number, or without one its MRN, of those that the
 * person sees.
 */
export function orderStudiesQuery({ uuid, accession_number: accession, patientid, study_count: count }: Order) {
  return queryOptions({
    queryKey: [orderKey, 'studies', uuid, accession, patientid, count],
    queryFn: async ({ signal }) => {
      const find = async (found: Record<string, unknown>) => {
        const list = { ...found, 'page.rows': shownStudies, 'page.number': 1 }
        return (await callApi(studyList, {}, { signal, list })).studies
      }
      const named = (await callApi(orderGet, { uuid }, { signal })).studies.map((one) => one.uuid)
      const belonging = named.length > 0 ? await find({ 'filter.uuid.in': named.slice(0, shownStudies) }) : []
      const byAccession = { 'filter.accession_number.equals': accession }
      const byMrn = { 'filter.patientid.equals': patientid }
      const alike = accession || patientid ? await find(accession ? byAccession : byMrn) : []
      return { belonging, others: alike.filter((one) => !named.includes(one.uuid ?? '')) }
    },
    staleTime: 0,
    gcTime: 0,
  })
}

export const orderTexts = [
  'patient_name',
  'patientid',
  'patient_birth_date',
  'patient_sex',
  'accession_number',
  'order_number',
  'referring_physician',
  'sending_facility',
] as const
export const stepTexts = [
  'modality',
  'scheduled_procedure_step_start_date',
  'scheduled_procedure_step_start_time',
  'scheduled_station_aetitle',
  'scheduled_procedure_step_description',
  'requested_procedure_description',
  'scheduled_procedure_step_id',
  'requested_procedure_id',
] as const
export type OrderText = (typeof orderTexts)[number]
export type StepText = (typeof stepTexts)[number]
/** A step in the form; without a uuid it is new. */
export type StepValues = Record<StepText, string> & { uuid: string | undefined; isRemoved: boolean; key: string }
export interface OrderValues {
  texts: Record<OrderText, string>
  /** Empty for no group. */
  namespaceId: string
  /** Values of custom fields by their uuids; a field that is not here stays. */
  fields: Readonly<Record<string, string>>
  steps: StepValues[]
}

/** A step of the form was refused; the order itself is kept. */
export class StepRefused extends Error {
  readonly step: string
  constructor(step: string, cause: unknown) {
    super('step refused', { cause })
    this.step = step
  }
}

/**
 * Enters or changes an order, then its steps, one after the other. `noteOrder` and `noteStep` tell each row that is
 * written, so that trying again makes none twice.
 */
export function useSaveOrder(accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (sent: {
      uuid: string | undefined
      values: OrderValues
      /** As the server has it: only what differs is sent, so that a time keeps its seconds. */
      before: OrderValues
      /** As it was read; undefined to save over whatever was changed meanwhile. */
      read: Order | undefined
      /** Keys of steps that were written since they were read, and the empty key of the order. */
      written: ReadonlySet<string>
      noteOrder: (uuid: string) => void
      noteStep: (key: string, uuid: string | undefined) => void
    }) => {
      const { values, before, read, written, noteOrder, noteStep } = sent
      const seenOf = (rowKey: string, row: object | undefined, change: object) =>
        row && !written.has(rowKey)
          ? Object.fromEntries(Object.entries(row).filter(([field]) => field in change))
          : undefined
      const stepAsRead = (stepUuid: string) => read?.sps.find((one) => one.uuid === stepUuid)
      const filled = Object.entries(values.fields).filter(([field, value]) => (before.fields[field] ?? '') !== value)
      const fields = fieldParameters(Object.fromEntries(filled))
      const order = { ...values.texts, ...fields, namespace_id: values.namespaceId }
      const changed = {
        ...changedFields(before.texts, values.texts),
        ...fields,
        ...(before.namespaceId === values.namespaceId ? {} : { namespace_id: values.namespaceId }),
      }
      const uuid = sent.uuid ?? (await callApi(orderAdd, { account_id: accountId, ...order })).uuid
      if (sent.uuid && Object.keys(changed).length > 0) {
        await callApi(orderSet, {
          uuid,
          ...changed,
          seen: seenOf('', read && { ...read, ...fieldsAsRead(read) }, changed),
        })
      }
      noteOrder(uuid)
      for (const { uuid: stepUuid, isRemoved, key: stepKey, ...texts } of values.steps) {
        try {
          if (isRemoved && stepUuid) {
            const seen = seenOf(stepKey, stepAsRead(stepUuid), texts)
            await callApi(orderSpsDelete, { uuid: stepUuid, seen })
          } else if (!isRemoved && stepUuid) {
            const was = before.steps.find((one) => one.key === stepKey)
            const put = changedFields<Record<StepText, string>>(was, texts)
            if (Object.keys(put).length > 0) {
              const seen = seenOf(stepKey, stepAsRead(stepUuid), put)
              await callApi(orderSpsSet, { uuid: stepUuid, ...put, seen })
              noteStep(stepKey, stepUuid)
            }
          } else if (!isRemoved) noteStep(stepKey, (await callApi(orderSpsAdd, { order_id: uuid, ...texts })).uuid)
          if (isRemoved) noteStep(stepKey, undefined)
        } catch (cause) {
          throw new StepRefused(stepKey, cause)
        }
      }
    },
    onSettled: () => void client.invalidateQueries({ queryKey: [orderKey] }),
  })
}

export function useDeleteOrder() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (uuid: string) => callApi(orderDelete, { uuid }),
    onSettled: () => void client.invalidateQueries({ queryKey: [orderKey] }),
  })
}

/** Cancels an order, or has it hold again. */
export function useCancelOrder() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ uuid, undo }: { uuid: string; undo?: 1 }) =>
      callApi(orderCancel, { uuid, ...(undo ? { undo } : {}) }),
    onSettled: () => void client.invalidateQueries({ queryKey: [orderKey] }),
  })
}
