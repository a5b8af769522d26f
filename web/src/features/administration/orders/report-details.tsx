import '@mantine/core/styles/Radio.layer.css'
import { orderReportAttach } from '@hilum/contract/calls/order-report'
import type { Study } from '@hilum/contract/entities/study'
import { Button, Radio } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate, formatStamp } from '../../../format/dates.ts'
import { formatSize } from '../../../format/file-size.ts'
import { t } from '../../../labels/label.ts'
import {
  examsForReportQuery,
  type OpenedReport,
  openedReportQuery,
  readReportPdf,
  useAttachReport,
  type WaitingReport,
} from '../../../queries/waiting-reports.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { mayCall, partOf, useMayCall } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { saveText } from '../../../ui/save-text.ts'
import { nameOfReport, orderFault } from './order-words.ts'
import own from './orders.module.css'

/** A report that waits for its exam: its content, and the exams of its patient that it can be given to. */
export function ReportDetails({ report, onClose }: { report: WaitingReport; onClose: () => void }) {
  const { dateFormat, timeZone } = usePreferences()
  const { data, isError } = useQuery(openedReportQuery(report.uuid))
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
      {report.reason !== '' && <Banner tone="priority">{t('orders.waitingReason', { reason: report.reason })}</Banner>}
      <dl className={own.facts}>
        {facts.map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value || '–'}</dd>])}
      </dl>
      <h3 className={own.part}>{t('orders.reportContent')}</h3>
      {isError && <Banner tone="failed">{t('orders.reportFailed')}</Banner>}
      {!data && !isError && <LoadingState label={t('loading')} />}
      {data && <Content report={data} />}
      {mayAttach && <Give report={report} onClose={onClose} />}
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
      saveText(name, await readReportPdf(report.uuid, at), 'application/pdf')
    } catch {
      setHasFailed(true)
    }
    setBusy(undefined)
  }
  return (
    <>
      {report.texts.map((text, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the texts never change
        <pre key={at} className={own.report}>
          {text}
        </pre>
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

function Give({ report, onClose }: { report: WaitingReport; onClose: () => void }) {
  const { data: listed, isError, isLoading } = useQuery(examsForReportQuery(report))
  const exams = listed?.filter(({ permissions = {} }) => mayCall(partOf(orderReportAttach, 'study_id'), permissions))
  const { dateFormat } = usePreferences()
  const [chosen, setChosen] = useState('')
  const [fault, setFault] = useState('')
  const attach = useAttachReport()
  const handleChoose = (uuid: string) => {
    setChosen(uuid)
    setFault('')
  }
  const handleAttach = () => {
    setFault('')
    const sent = { uuid: report.uuid, study_id: chosen }
    attach.mutate(sent, {
      onSuccess: () => {
        putNotice(t('orders.given'))
        onClose()
      },
      onError: (failure) => setFault(orderFault(failure).text),
    })
  }
  const labelOf = (study: Partial<Study>) =>
    [study.modality, study.study_description, formatDate(study.study_date, dateFormat), study.accession_number]
      .filter(Boolean)
      .join(' · ')
  return (
    <>
      <h3 className={own.part}>{t('orders.giveTitle')}</h3>
      {isError && <Banner tone="failed">{t('orders.giveFailed')}</Banner>}
      {isLoading && <LoadingState label={t('loading')} />}
      {report.patientid === '' && <p className={own.note}>{t('orders.giveNoMrn')}</p>}
      {exams?.length === 0 && (
        <p className={own.note}>{t(listed?.length === 0 ? 'orders.giveNone' : 'orders.giveNotPermitted')}</p>
      )}
      {exams && exams.length > 0 && (
        <>
          <p className={own.note}>{t('orders.giveText')}</p>
          <Radio.Group label={t('orders.exams')} value={chosen} onChange={handleChoose}>
            <div className={own.choices}>
              {exams.map((study) => (
                <Radio key={study.uuid} value={study.uuid ?? ''} label={labelOf(study) || t('summary.elsewhereExam')} />
              ))}
            </div>
          </Radio.Group>
          {fault && <Banner tone="failed">{fault}</Banner>}
          <div className={own.acts}>
            <Button size="xs" disabled={chosen === ''} loading={attach.isPending} onClick={handleAttach}>
              {t('orders.give')}
            </Button>
          </div>
        </>
      )}
    </>
  )
}
