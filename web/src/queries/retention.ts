import type { InputOf, OutputOf } from '@hilum/contract/call'
import {
  type DeletedExam,
  type RetainedEntry,
  type RetentionCause,
  type RetainedKind,
  type PurgedExam,
  retentionBin,
  retentionDate,
  retentionGet,
  retentionHold,
  retentionKept,
  retentionPatient,
  retentionPurged,
  retentionRelease,
  retentionSet,
} from '@hilum/contract/calls/retention'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import type { GridView } from '../ui/grid-view.ts'
import { within } from './account-groups.ts'
import { pageOf } from './page-of.ts'

export type { DeletedExam, RetainedEntry, PurgedExam }
export type Retention = OutputOf<typeof retentionGet>
export type RuledPlace = Retention['places'][number]
export type PatientToRetain = OutputOf<typeof retentionPatient>['patients'][number]

/** Filters stand in the address: none of them names a patient. */
export type BinFilters = { place: string; kept: '' | RetentionCause | 'nothing' }
export const noBinFilters: BinFilters = { place: '', kept: '' }
export type RetainedFilters = { place: string; reason: string; kind: '' | RetainedKind }
export const noRetainedFilters: RetainedFilters = { place: '', reason: '', kind: '' }
export type PurgedFilters = { place: string; from: string; to: string }
export const noPurgedFilters: PurgedFilters = { place: '', from: '', to: '' }

const key = 'retention'
const fresh = { placeholderData: keepPreviousData, staleTime: 0, gcTime: 0 } as const

export const retentionQuery = (accountId: string) =>
  queryOptions({
    queryKey: [key, accountId, 'rules'],
    queryFn: ({ signal }) => callApi(retentionGet, { account_id: accountId }, { signal }),
    staleTime: 0,
  })

const binList = (filters: BinFilters) => ({
  'filter.namespace_name.like': within(filters.place),
  'filter.kept_by.equals': filters.kept === 'nothing' ? '' : filters.kept || undefined,
})
const purgedList = (filters: PurgedFilters) => ({
  'filter.namespace_name.like': within(filters.place),
  'filter.at.ge': filters.from || undefined,
  'filter.at.le': filters.to || undefined,
})

export const binQuery = (accountId: string, view: GridView, filters: BinFilters) =>
  queryOptions({
    queryKey: [key, accountId, 'bin', view, filters],
    queryFn: ({ signal }) =>
      callApi(retentionBin, { account_id: accountId }, { signal, list: { ...pageOf(view), ...binList(filters) } }),
    ...fresh,
  })

export const retainedQuery = (accountId: string, view: GridView, filters: RetainedFilters) =>
  queryOptions({
    queryKey: [key, accountId, 'kept', view, filters],
    queryFn: ({ signal }) =>
      callApi(
        retentionKept,
        { account_id: accountId },
        {
          signal,
          list: {
            ...pageOf(view),
            'filter.namespace_name.like': within(filters.place),
            'filter.reason.like': within(filters.reason),
            'filter.kind.equals': filters.kind || undefined,
          },
        },
      ),
    ...fresh,
  })

export const purgedQuery = (accountId: string, view: GridView, filters: PurgedFilters) =>
  queryOptions({
    queryKey: [key, accountId, 'purged', view, filters],
    queryFn: ({ signal }) =>
      callApi(
        retentionPurged,
        { account_id: accountId },
        { signal, list: { ...pageOf(view), ...purgedList(filters) } },
      ),
    ...fresh,
  })

const atOnce = 2000
/** Most lines of a CSV file. */
const mostLines = 100_000

async function readAll<Row>(ask: (page: object) => Promise<{ exams: readonly Row[]; page: { more: number } }>) {
  const rows: Row[] = []
  for (let number = 1; ; number += 1) {
    const reply = await ask({ 'page.rows': atOnce, 'page.number': number })
    rows.push(...reply.exams)
    if (reply.page.more !== 1) return { rows, isCut: false }
    if (rows.length >= mostLines) return { rows, isCut: true }
  }
}

/** Every deleted exam that the filter finds, those that go first at the top. */
export const listWholeBin = (accountId: string, filters: BinFilters) =>
  readAll((page) =>
    callApi(retentionBin, { account_id: accountId }, { list: { ...page, sort_by: 'due_at-asc', ...binList(filters) } }),
  )

/** Every purged exam that the filter finds, the latest first. */
export const listAllPurged = (accountId: string, filters: PurgedFilters) =>
  readAll((page) =>
    callApi(
      retentionPurged,
      { account_id: accountId },
      { list: { ...page, sort_by: 'at-desc', ...purgedList(filters) } },
    ),
  )

/** Patients of an MRN; asked for once, since each answer is put on record. */
export function useFindPatients(accountId: string) {
  return useMutation({
    mutationFn: (mrn: string) => callApi(retentionPatient, { account_id: accountId, patientid: mrn }),
  })
}

type RuleChange = Pick<InputOf<typeof retentionSet>, 'retention_days' | 'seen'> & { namespaceId: string | undefined }

/** Tries a rule, or sets it: how many deleted exams it keeps, and how many it lets go. */
export function useSetRule(accountId: string, isCheck: boolean) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ namespaceId, retention_days, seen }: RuleChange) =>
      callApi(retentionSet, {
        account_id: accountId,
        ...(namespaceId === undefined ? {} : { namespace_id: namespaceId }),
        retention_days,
        seen,
        ...(isCheck ? { check: 1 as const } : {}),
      }),
    onSettled: () => (isCheck ? undefined : client.invalidateQueries({ queryKey: [key] })),
  })
}

export type RetentionAct = 'hold' | 'release' | 'date'
/** An exam, or a patient by number and issuer. */
export type RetentionTarget = { study_id: string } | { patientid: string; issuer: string }
type RetentionChange = {
  act: RetentionAct
  thing: RetentionTarget
  reason: string
  lastDay: string
  /** The date as it was read. */
  seen: Record<string, unknown> | undefined
}

/** Sets or ends a hold, or sets the last day of an exam. */
export function useChangeRetention(accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ act, thing, reason, lastDay, seen }: RetentionChange) => {
      const sent = { account_id: accountId, ...thing, reason }
      if (act === 'hold') await callApi(retentionHold, sent)
      else if (act === 'release') await callApi(retentionRelease, sent)
      else if ('study_id' in thing)
        await callApi(retentionDate, { account_id: accountId, ...thing, reason, retain_until: lastDay, seen })
    },
    onSettled: () => client.invalidateQueries({ queryKey: [key] }),
  })
}
