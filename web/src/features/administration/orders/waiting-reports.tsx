import { orderReportDelete } from '@hilum/contract/calls/order-report'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatStamp } from '../../../format/dates.ts'
import { t } from '../../../labels/label.ts'
import { namespacesQuery } from '../../../queries/namespaces.ts'
import { useRemoveReport, type WaitingReport, waitingReportsQuery } from '../../../queries/waiting-reports.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { IconEye, IconTrash } from '../../../ui/icons.ts'
import table from '../../../ui/row-table.module.css'
import { AskDialog } from '../grid/ask-dialog.tsx'
import { gridPaging } from '../grid/grid-paging.ts'
import { gridTexts } from '../grid/grid-texts.ts'
import { RowAct } from '../grid/row-act.tsx'
import { useGridView } from '../grid/use-stored-rows.ts'
import own from './orders.module.css'
import { ReportDetails } from './report-details.tsx'
import { nameOfReport, removeFault } from './report-words.ts'

/** Reports by HL7 that came before their exam; nothing is shown while none waits. */
export function WaitingReports() {
  const { account } = useEstablished()
  const [view, setView] = useGridView('waiting_reports', 'reason', true)
  const answer = useQuery(waitingReportsQuery(account.uuid, view))
  const { data, isError, isPlaceholderData } = answer
  const columns = useReportColumns()
  const mayRemove = useMayCall(orderReportDelete)
  const [asked, setAsked] = useState<WaitingReport>()
  const [opened, setOpened] = useState<WaitingReport>()
  const [fault, setFault] = useState('')
  const remove = useRemoveReport()
  // a reading again that failed leaves what was read, and a question that stands
  if (isError && !data) return <Banner tone="failed">{t('orders.waitingFailed')}</Banner>
  if (!data) return null
  const total = data.page.total ?? data.reports.length
  const heading = t('orders.waiting', { count: total })
  const areAllListed = view.page === 1 && data.page.more !== 1 && !isPlaceholderData
  const isGone = areAllListed && !data.reports.some(({ uuid }) => uuid === opened?.uuid)
  const close = () => setAsked(undefined)
  const handleRemove = (report: WaitingReport) => {
    setFault('')
    remove.mutate(report.uuid, {
      onSuccess: () => putNotice(t('orders.waitingRemoved')),
      onError: (failure) => setFault(removeFault(failure)),
      onSettled: close,
    })
  }
  return (
    <>
      {(data.reports.length > 0 || view.page > 1 || fault) && (
        <section aria-labelledby="waiting-reports">
          <h2 id="waiting-reports" className={own.part}>
            {heading}
          </h2>
          <p className={own.note}>{t('orders.waitingText')}</p>
          {fault && <Banner tone="failed">{fault}</Banner>}
          <DataGrid
            texts={gridTexts({ label: heading, failed: t('orders.waitingFailed'), empty: '' }, total)}
            columns={columns}
            rows={data.reports}
            keyOf={({ uuid }) => uuid}
            nameOf={nameOfReport}
            {...gridPaging(answer, view, setView)}
            failure={null}
            onOpen={setOpened}
            acts={reportActs({ mayRemove, onOpen: setOpened, onRemove: setAsked })}
          />
        </section>
      )}
      {opened && <ReportDetails report={opened} isGone={isGone} onClose={() => setOpened(undefined)} />}
      {asked && (
        <AskDialog
          title={t('orders.waitingAsk')}
          text={t('orders.waitingAskText', { name: nameOfReport(asked) })}
          act={t('orders.waitingRemove')}
          isBusy={remove.isPending}
          onAct={() => handleRemove(asked)}
          onClose={close}
        />
      )}
    </>
  )
}

interface ReportActs {
  mayRemove: boolean
  onOpen: (report: WaitingReport) => void
  onRemove: (report: WaitingReport) => void
}

function reportActs({ mayRemove, onOpen, onRemove }: ReportActs) {
  return (report: WaitingReport, tabIndex: 0 | -1) => (
    <>
      <RowAct
        tabIndex={tabIndex}
        label={t('orders.waitingOpenOne', { name: nameOfReport(report) })}
        icon={IconEye}
        onAct={() => onOpen(report)}
      />
      {mayRemove && (
        <RowAct
          tabIndex={tabIndex}
          label={t('orders.waitingRemoveOne', { name: nameOfReport(report) })}
          icon={IconTrash}
          onAct={() => onRemove(report)}
        />
      )}
    </>
  )
}

function useReportColumns(): GridColumn<WaitingReport>[] {
  const { account } = useEstablished()
  const { data: inboxes } = useQuery(namespacesQuery(account.uuid))
  const { dateFormat, timeZone } = usePreferences()
  const placeOf = (report: WaitingReport) => inboxes?.find((one) => one.namespaceId === report.namespace_id)?.name ?? ''
  return [
    {
      key: 'patient',
      title: t('orders.patient'),
      sort: 'patient_name',
      isName: true,
      cell: (report) => (
        <>
          {nameOfReport(report)}
          <span className={table.aside}>{report.patientid}</span>
        </>
      ),
    },
    {
      key: 'report',
      title: t('orders.waitingReport'),
      cell: (report) => (
        <>
          {t(`orders.report.${report.status}`)}
          <span className={table.aside}>{report.accession_number || report.number}</span>
        </>
      ),
    },
    {
      key: 'came',
      title: t('orders.waitingCame'),
      sort: 'received',
      cell: (report) => (
        <>
          {formatStamp(report.received, dateFormat, timeZone)}
          <span className={table.aside}>{[report.sender, placeOf(report)].filter(Boolean).join(' · ')}</span>
        </>
      ),
    },
    {
      key: 'reason',
      title: t('orders.waitingWhy'),
      sort: 'reason',
      cell: ({ reason }) => reason || t('orders.waitingNoExam'),
    },
  ]
}
