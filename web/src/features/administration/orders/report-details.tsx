import { orderReportAttach } from '@hilum/contract/calls/order-report'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate, formatStamp } from '../../../format/dates.ts'
import { formatSize } from '../../../format/file-size.ts'
import { t } from '../../../labels/label.ts'
import {
  type OpenedReport,
  openedReportQuery,
  readReportPdf,
  type WaitingReport,
} from '../../../queries/waiting-reports.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { GiveReport } from './give-report.tsx'
import own from './orders.module.css'
import { nameOfReport } from './report-words.ts'

interface ReportDetailsProps {
  report: WaitingReport
  /** Whether it waits no more: attached to its exam meanwhile, or removed. */
  isGone: boolean
  onClose: () => void
}

/** A report that waits for its exam: its content, and the exams of its patient that it can be given to. */
export function ReportDetails({ report, isGone, onClose }: ReportDetailsProps) {
  const { dateFormat, timeZone } = usePreferences()
  const { data, isLoadingError } = useQuery(openedReportQuery(report.uuid))
  const mayAttach = useMayCall(orderReportAttach)
  const facts = [
    [t('field.mrn'), report.patientid],
    [t('field.birthDate'), formatDate(report.patient_birth_date, dateFormat)],
    [t('field.accession'), report.accession_number],
    [t('orders.reportNumber'), report.number],
    [t('orders.reportStudyUid'), data?.study_uid ?? ''],
    [t('orders.statusTitle'), t(`orders.report.${report.status}`)],
    [t('orders.sourceTitle'), report.sender],
    [t('orders.reportCame'), formatStamp(report.received, dateFormat, timeZone)],
  ]
  return (
    <Dialog title={nameOfReport(report)} closeLabel={t('button.close')} onClose={onClose}>
      {isGone && <Banner tone="priority">{t('orders.waitsNoMore')}</Banner>}
      {report.reason !== '' && <Banner tone="priority">{t('orders.waitingReason', { reason: report.reason })}</Banner>}
      <dl className={own.facts}>
        {facts.map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value || '–'}</dd>])}
      </dl>
      <h3 className={own.part}>{t('orders.reportContent')}</h3>
      {isLoadingError && <Banner tone="failed">{t('orders.reportFailed')}</Banner>}
      {!data && !isLoadingError && <LoadingState label={t('loading')} />}
      {data && <Content report={data} />}
      {mayAttach && !isGone && <GiveReport report={report} onClose={onClose} />}
    </Dialog>
  )
}

function Content({ report }: { report: OpenedReport }) {
  const [busy, setBusy] = useState<number>()
  const [hasFailed, setHasFailed] = useState(false)
  const handleSave = async (at: number) => {
    setBusy(at)
    setHasFailed(false)
    try {
      const name = `${t(`orders.report.${report.status}`)} ${report.accession_number || report.number} ${at + 1}.pdf`
      saveFile(name, await readReportPdf(report.uuid, at), 'application/pdf')
    } catch {
      setHasFailed(true)
    }
    setBusy(undefined)
  }
  return (
    <>
      {report.texts.map((text, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the texts never change
        <div
          key={at}
          className={own.report}
          role="region"
          aria-label={t('orders.reportText', { number: at + 1 })}
          tabIndex={0}
        >
          {text}
        </div>
      ))}
      <div className={own.acts}>
        {report.pdfs.map((bytes, at) => (
          <Button
            // oxlint-disable-next-line react/no-array-index-key -- the documents never change
            key={at}
            size="xs"
            variant="default"
            loading={busy === at}
            onClick={() => void handleSave(at)}
          >
            {t('orders.savePdf', { number: at + 1, size: formatSize(bytes) })}
          </Button>
        ))}
      </div>
      {hasFailed && <Banner tone="failed">{t('orders.reportFailed')}</Banner>}
    </>
  )
}
