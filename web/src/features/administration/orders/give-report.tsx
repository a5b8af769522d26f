import '@mantine/core/styles/Radio.layer.css'
import { orderReportAttach } from '@hilum/contract/calls/order-report'
import type { Study } from '@hilum/contract/entities/study'
import { Button, Radio } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { t } from '../../../labels/label.ts'
import { namespacesQuery } from '../../../queries/namespaces.ts'
import { examsForReportQuery, useAttachReport, type WaitingReport } from '../../../queries/waiting-reports.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { mayCall, partOf } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { AskDialog } from '../grid/ask-dialog.tsx'
import own from './orders.module.css'
import { attachFault, nameOfExam, nameOfReport } from './report-words.ts'

/** The exams of the patient of a report that waits, and its attaching to one of them. */
export function GiveReport({ report, onClose }: { report: WaitingReport; onClose: () => void }) {
  const { data, isLoadingError, isLoading } = useQuery(examsForReportQuery(report))
  const exams = data?.studies.filter(({ permissions = {} }) =>
    mayCall(partOf(orderReportAttach, 'study_id'), permissions),
  )
  return (
    <>
      <h3 className={own.part}>{t('orders.giveTitle')}</h3>
      {isLoadingError && <Banner tone="failed">{t('orders.giveFailed')}</Banner>}
      {isLoading && <LoadingState label={t('loading')} />}
      {report.patientid === '' && <p className={own.note}>{t('orders.giveNoMrn')}</p>}
      {exams?.length === 0 && (
        <p className={own.note}>{t(data?.studies.length === 0 ? 'orders.giveNone' : 'orders.giveNotPermitted')}</p>
      )}
      {exams && exams.length > 0 && (
        <Choice report={report} exams={exams} onClose={onClose}>
          {data?.hasMore && <p className={own.note}>{t('orders.giveNewest', { count: data.studies.length })}</p>}
        </Choice>
      )}
    </>
  )
}

interface ChoiceProps {
  report: WaitingReport
  exams: readonly Partial<Study>[]
  /** Stands below the exams. */
  children: ReactNode
  onClose: () => void
}

function Choice({ report, exams, children, onClose }: ChoiceProps) {
  const { dateFormat } = usePreferences()
  const [chosen, setChosen] = useState('')
  const [isAsking, setIsAsking] = useState(false)
  const [fault, setFault] = useState('')
  const attach = useAttachReport()
  const exam = exams.find(({ uuid }) => uuid === chosen)
  const handleChoose = (uuid: string) => {
    setChosen(uuid)
    setFault('')
  }
  const handleAttach = () =>
    attach.mutate(
      { uuid: report.uuid, study_id: chosen },
      {
        onSuccess: () => {
          putNotice(t('orders.given'))
          onClose()
        },
        onError: (failure) => setFault(attachFault(failure)),
        onSettled: () => setIsAsking(false),
      },
    )
  return (
    <>
      <p className={own.note}>{t('orders.giveText')}</p>
      <Radio.Group label={t('orders.exams')} value={chosen} onChange={handleChoose}>
        <div className={own.choices}>
          {exams.map((study) => (
            <div key={study.uuid} className={own.choice}>
              <Radio value={study.uuid ?? ''} label={nameOfExam(study, dateFormat)} />
              <OpenExam namespaceId={report.namespace_id} study={study} name={nameOfExam(study, dateFormat)} />
            </div>
          ))}
        </div>
      </Radio.Group>
      {children}
      {fault && <Banner tone="failed">{fault}</Banner>}
      <div className={own.acts}>
        <Button
          size="xs"
          disabled={!exam}
          onClick={() => {
            setFault('')
            setIsAsking(true)
          }}
        >
          {t('orders.give')}
        </Button>
      </div>
      {isAsking && exam && (
        <AskDialog
          title={t('orders.giveAsk')}
          text={t('orders.giveAskText', {
            report: [
              nameOfReport(report),
              t(`orders.report.${report.status}`),
              report.accession_number || report.number,
            ]
              .filter(Boolean)
              .join(' · '),
            exam: nameOfExam(exam, dateFormat),
          })}
          act={t('orders.giveSure')}
          isRemoval={false}
          isBusy={attach.isPending}
          onAct={handleAttach}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

interface OpenExamProps {
  namespaceId: string
  study: Partial<Study>
  name: string
}

function OpenExam({ namespaceId, study, name }: OpenExamProps) {
  const { account } = useEstablished()
  const { data: inboxes } = useQuery(namespacesQuery(account.uuid))
  const place = inboxes?.find((one) => one.namespaceId === namespaceId)
  if (!place) return null
  return (
    <Link
      to="/group/$groupId/{-$state}"
      params={{ groupId: place.id, state: undefined }}
      search={{ study: study.uuid }}
      target="_blank"
      aria-label={t('orders.giveOpenOne', { exam: name })}
    >
      {t('orders.giveOpen')}
    </Link>
  )
}
