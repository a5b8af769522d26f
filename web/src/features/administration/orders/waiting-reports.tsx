import { orderReportDelete, type WaitingReport } from '@hilum/contract/calls/order-report'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatStamp } from '../../../format/dates.ts'
import { nameText } from '../../../format/person-name.ts'
import { t } from '../../../labels/label.ts'
import { namespacesQuery } from '../../../queries/namespaces.ts'
import { useRemoveReport, waitingReportsQuery } from '../../../queries/orders.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { AskDialog } from '../grid/ask-dialog.tsx'
import { orderFault } from './order-words.ts'
import own from './orders.module.css'

/** Reports by HL7 that came before their exam; nothing is shown while none waits. */
export function WaitingReports() {
  const { account } = useEstablished()
  const { data, isError } = useQuery(waitingReportsQuery(account.uuid))
  const [asked, setAsked] = useState<WaitingReport>()
  const [fault, setFault] = useState('')
  const remove = useRemoveReport()
  // a reading again that failed leaves what was read, and a question that stands
  if (isError && !data) return <Banner tone="failed">{t('orders.waitingFailed')}</Banner>
  if (!data || data.length === 0) return null
  const close = () => setAsked(undefined)
  const handleRemove = (report: WaitingReport) => {
    setFault('')
    remove.mutate(report.uuid, {
      onSuccess: () => putNotice(t('orders.waitingRemoved')),
      onError: (failure) => setFault(orderFault(failure).text),
      onSettled: close,
    })
  }
  return (
    <section aria-labelledby="waiting-reports">
      <h2 id="waiting-reports" className={own.part}>
        {t('orders.waiting', { count: data.length })}
      </h2>
      <p className={own.note}>{t('orders.waitingText')}</p>
      {fault && <Banner tone="failed">{fault}</Banner>}
      <ul className={own.lines}>
        {data.map((one) => (
          <Report key={one.uuid} report={one} onRemove={() => setAsked(one)} />
        ))}
      </ul>
      {asked && (
        <AskDialog
          title={t('orders.waitingAsk')}
          text={t('orders.waitingAskText', { name: nameOf(asked) })}
          act={t('orders.waitingRemove')}
          isBusy={remove.isPending}
          onAct={() => handleRemove(asked)}
          onClose={close}
        />
      )}
    </section>
  )
}

function Report({ report, onRemove }: { report: WaitingReport; onRemove: () => void }) {
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
          nameOf(report),
          report.patientid,
          report.accession_number || report.number,
          t(`orders.report.${report.status}`),
        ]
          .filter(Boolean)
          .join(' · ')}
        <div className={own.note}>{[came, place].filter(Boolean).join(' · ')}</div>
        {report.reason !== '' && <div className={own.note}>{t('orders.waitingReason', { reason: report.reason })}</div>}
      </div>
      {mayRemove && (
        <Button
          size="xs"
          variant="default"
          aria-label={t('orders.waitingRemoveOne', { name: nameOf(report) })}
          onClick={onRemove}
        >
          {t('orders.waitingRemove')}
        </Button>
      )}
    </li>
  )
}

function nameOf({ patient_name: name }: WaitingReport): string {
  return nameText(name) || t('card.noName')
}
