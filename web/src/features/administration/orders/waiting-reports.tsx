import { orderReportDelete } from '@hilum/contract/calls/order-report'
import { Button } from '@mantine/core'
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
import { GridFoot } from '../../../ui/grid-foot.tsx'
import { rowsPerPage } from '../../../ui/grid-view.ts'
import { AskDialog } from '../grid/ask-dialog.tsx'
import { gridTexts } from '../grid/grid-texts.ts'
import own from './orders.module.css'
import { ReportDetails } from './report-details.tsx'
import { nameOfReport, removeFault } from './report-words.ts'

/** Reports by HL7 that came before their exam; nothing is shown while none waits. */
export function WaitingReports() {
  const { account } = useEstablished()
  const [view, setView] = useState({
    page: 1,
    rows: rowsPerPage[0] as number,
    sort: { field: '', isDescending: false },
  })
  const { data, isError, isPlaceholderData } = useQuery(waitingReportsQuery(account.uuid, view.page, view.rows))
  const [asked, setAsked] = useState<WaitingReport>()
  const [opened, setOpened] = useState<WaitingReport>()
  const [fault, setFault] = useState('')
  const remove = useRemoveReport()
  // a reading again that failed leaves what was read, and a question that stands
  if (isError && !data) return <Banner tone="failed">{t('orders.waitingFailed')}</Banner>
  // the last one of a page may have gone meanwhile
  if (data?.reports.length === 0 && view.page > 1 && !isPlaceholderData) setView({ ...view, page: view.page - 1 })
  if (!data) return null
  const total = data.page.total ?? data.reports.length
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
      {(data.reports.length > 0 || fault) && (
        <section aria-labelledby="waiting-reports">
          <h2 id="waiting-reports" className={own.part}>
            {t('orders.waiting', { count: total })}
          </h2>
          <p className={own.note}>{t('orders.waitingText')}</p>
          {fault && <Banner tone="failed">{fault}</Banner>}
          <ul className={own.lines}>
            {data.reports.map((one) => (
              <Report key={one.uuid} report={one} onOpen={() => setOpened(one)} onRemove={() => setAsked(one)} />
            ))}
          </ul>
          {total > rowsPerPage[0] && (
            <GridFoot
              texts={gridTexts({ label: '', failed: '', empty: '' }, total)}
              view={view}
              onView={setView}
              hasMore={data.page.more === 1 && !isPlaceholderData}
              shown={data.reports.length}
            />
          )}
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

interface ReportProps {
  report: WaitingReport
  onOpen: () => void
  onRemove: () => void
}

function Report({ report, onOpen, onRemove }: ReportProps) {
  const { account } = useEstablished()
  const { data: inboxes } = useQuery(namespacesQuery(account.uuid))
  const { dateFormat, timeZone } = usePreferences()
  const mayRemove = useMayCall(orderReportDelete)
  const place = inboxes?.find((one) => one.namespaceId === report.namespace_id)?.name ?? ''
  const came = t('orders.waitingCame', {
    when: formatStamp(report.received, dateFormat, timeZone),
    sender: report.sender,
  })
  return (
    <li className={own.waiting}>
      <div>
        {[
          nameOfReport(report),
          report.patientid,
          report.accession_number || report.number,
          t(`orders.report.${report.status}`),
        ]
          .filter(Boolean)
          .join(' · ')}
        <div className={own.note}>{[came, place].filter(Boolean).join(' · ')}</div>
        {report.reason !== '' && <div className={own.note}>{t('orders.waitingReason', { reason: report.reason })}</div>}
      </div>
      <div className={own.waitingActs}>
        <Button
          size="xs"
          variant="default"
          aria-label={t('orders.waitingOpenOne', { name: nameOfReport(report) })}
          onClick={onOpen}
        >
          {t('orders.waitingOpen')}
        </Button>
        {mayRemove && (
          <Button
            size="xs"
            variant="default"
            aria-label={t('orders.waitingRemoveOne', { name: nameOfReport(report) })}
            onClick={onRemove}
          >
            {t('orders.waitingRemove')}
          </Button>
        )}
      </div>
    </li>
  )
}
