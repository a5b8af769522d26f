import { auditActs, auditKinds, accessActs, isAccess, type AuditAct, type AuditKind } from '@hilum/contract/audit-acts'
import {
  type AccountAuditEvent,
  auditAccount,
  auditCheck,
  auditCheckGet,
  auditPatient,
} from '@hilum/contract/calls/audit'
import type { OutputOf } from '@hilum/contract/call'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi, type ListParameters } from '../api/call-api.ts'
import { t } from '../labels/label.ts'
import type { GridView } from '../ui/grid-view.ts'
import { within } from './account-groups.ts'

export type { AccountAuditEvent }
export type AuditCheck = OutputOf<typeof auditCheck>
export type PatientReport = OutputOf<typeof auditPatient>

/** Filters that may stand in an address: none of them names a patient. */
export type AuditFilters = { who: string; act: string; kind: string; from: string; to: string }
export const noAuditFilters: AuditFilters = { who: '', act: '', kind: '', from: '', to: '' }

const narrowed = (filters: AuditFilters, study: string) => ({
  'filter.who.like': within(filters.who),
  'filter.action.equals': filters.act || undefined,
  'filter.type.equals': filters.kind || undefined,
  'filter.when.ge': filters.from || undefined,
  'filter.when.le': filters.to || undefined,
  'filter.study.like': within(study),
})

const atOnce = 2000
/** Most lines of a CSV file. */
const mostLines = 100_000

/** The audit of one account, as a log reads it. */
export interface AuditSource {
  accountId: string
  readPage: (list: ListParameters, signal?: AbortSignal) => Promise<OutputOf<typeof auditAccount>>
}

/** The audit of an account as its own people read it. */
export const auditOfOwn = (accountId: string): AuditSource => ({
  accountId,
  readPage: (list, signal) => callApi(auditAccount, { account_id: accountId }, { list, signal }),
})

/** A page of an audit, newest first. */
export function auditQuery(
  { accountId, readPage }: AuditSource,
  { page, rows }: GridView,
  filters: AuditFilters,
  study: string,
) {
  return queryOptions({
    queryKey: ['audit', accountId, page, rows, filters, study],
    queryFn: ({ signal }) => readPage({ 'page.rows': rows, 'page.number': page, ...narrowed(filters, study) }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}

/** Everything that the filter finds, up to the longest file; `isCut` where there is more. */
export async function listAudit({ readPage }: AuditSource, filters: AuditFilters, study: string) {
  const events: AccountAuditEvent[] = []
  for (let number = 1; ; number += 1) {
    const reply = await readPage({ 'page.rows': atOnce, 'page.number': number, ...narrowed(filters, study) })
    events.push(...reply.events)
    if (reply.page.more !== 1) return { events, isCut: false }
    if (events.length >= mostLines) return { events, isCut: true }
  }
}

export interface PatientQuestion {
  mrn: string
  /** Undefined asks for all patients who have the MRN. */
  issuer: string | undefined
  from: string
  to: string
  /** Also changes and shares, not only who saw or took images. */
  isAll: boolean
}
/** Most entries of a report about one patient. */
const mostEntries = 5000

/** The report of one patient; asked for once, since each is put on record. */
export function usePatientReport(accountId: string) {
  return useMutation({
    mutationFn: async ({ mrn, issuer, from, to, isAll }: PatientQuestion) => {
      const report = await callApi(
        auditPatient,
        { account_id: accountId, patientid: mrn, ...(issuer === undefined ? {} : { issuer }) },
        {
          list: {
            'page.rows': mostEntries,
            'page.number': 1,
            'filter.when.ge': from || undefined,
            'filter.when.le': to || undefined,
            'filter.action.in': isAll ? undefined : accessActs,
          },
        },
      )
      return isAll ? report : { ...report, events: report.events.filter(isAccess) }
    },
  })
}

/** Milliseconds between two looks at a check that runs. */
const lookEveryMs = 2000

/** The latest check of the seals, asked again while it runs. */
export function auditCheckQuery(accountId: string) {
  return queryOptions({
    queryKey: ['audit-check', accountId],
    queryFn: ({ signal }) => callApi(auditCheckGet, { account_id: accountId }, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? lookEveryMs : false),
  })
}

/** Begins a check of the seals. */
export function useAuditCheck(accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi(auditCheck, { account_id: accountId }),
    onSuccess: (check) => client.setQueryData(auditCheckQuery(accountId).queryKey, check),
  })
}

/** The word for an act; its own name where a newer server wrote it. */
export function actText(action: string): string {
  return isAct(action) ? t(`audit.act.${action}`) : action
}
/** The word for a kind of thing; its own name where a newer server wrote it. */
export function kindText(kind: string): string {
  return isKind(kind) ? t(`audit.kind.${kind}`) : kind
}

function isAct(action: string): action is AuditAct {
  return (auditActs as readonly string[]).includes(action)
}
function isKind(kind: string): kind is AuditKind {
  return (auditKinds as readonly string[]).includes(kind)
}
