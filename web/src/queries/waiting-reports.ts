import {
  orderReportAttach,
  orderReportDelete,
  orderReportGet,
  orderReportList,
  type OpenedReport,
  type WaitingReport,
} from '@hilum/contract/calls/order-report'
import { studyList } from '@hilum/contract/calls/study'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import type { GridView } from '../ui/grid-view.ts'
import { orderKey, readAgainMs } from './orders.ts'
import { pageOf } from './page-of.ts'

export type { OpenedReport, WaitingReport }

const key = [orderKey, 'waiting']

/** A page of the reports by HL7 that wait for their exam; alike ones with a reason first, then those that wait longest. */
export function waitingReportsQuery(accountId: string, view: GridView) {
  return queryOptions({
    queryKey: [...key, 'page', accountId, view],
    queryFn: async ({ signal }) => {
      const list = pageOf(view)
      const { reports, page: answered } = await callApi(orderReportList, { account_id: accountId }, { signal, list })
      return { reports: reports as WaitingReport[], page: answered } // no fields were left out
    },
    placeholderData: keepPreviousData,
    refetchInterval: readAgainMs,
    staleTime: 0,
    gcTime: 0,
  })
}

/** One report with its texts. Reading is on record, so it happens once for each opening. */
export function openedReportQuery(uuid: string) {
  return queryOptions({
    queryKey: ['waiting-report', uuid],
    queryFn: ({ signal }) => callApi(orderReportGet, { uuid }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** Bytes of one PDF of a report. */
export async function readReportPdf(uuid: string, document: number): Promise<Uint8Array<ArrayBuffer>> {
  const { pdf } = await callApi(orderReportGet, { uuid, document })
  return Uint8Array.from(atob(pdf ?? ''), (letter) => letter.charCodeAt(0))
}

const shownExams = 20

/** Exams of a report's place that have the MRN of its patient, the newest first. */
export function examsForReportQuery({ namespace_id, patientid }: WaitingReport) {
  return queryOptions({
    queryKey: ['waiting-report', 'exams', namespace_id, patientid],
    queryFn: async ({ signal }) => {
      const list = {
        'filter.phi_namespace.equals': namespace_id,
        'filter.patientid.equals': patientid,
        sort_by: 'study_date-desc',
        'page.rows': shownExams,
      }
      const { studies, page } = await callApi(studyList, {}, { signal, list })
      return { studies, hasMore: page.more === 1 }
    },
    enabled: patientid !== '',
    staleTime: 0,
    gcTime: 0,
  })
}

export function useRemoveReport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (uuid: string) => callApi(orderReportDelete, { uuid }),
    onSettled: () => void client.invalidateQueries({ queryKey: key }),
  })
}

/** Gives a report to an exam of its place. */
export function useAttachReport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (sent: { uuid: string; study_id: string }) => callApi(orderReportAttach, sent),
    onSettled: () => void client.invalidateQueries({ queryKey: key }),
  })
}
