import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { t } from '../../labels/label.ts'
import { trackedQuery } from '../../queries/sending.ts'
import { Banner } from '../../ui/banner.tsx'
import { ExamTable } from './exam-table.tsx'
import panel from './exam-panel.module.css'
import { hasNamesBeside } from './names-beside.ts'
import { haveAccess, type KnownRecipients, useKnownRecipients } from './known-recipients.ts'
import { NamelessChoice } from './nameless-choice.tsx'
import { SendForm } from './send-form.tsx'
import { patientsOf } from './send-options.ts'
import { SendTracker } from './send-tracker.tsx'

/** SEND-01 to SEND-06 for one exam. */
export function SendTab({ study }: { study: Study }) {
  return (
    <div className={panel.content}>
      <h3 className={panel.heading}>{t('send.title', { count: 1 })}</h3>
      <p className={panel.note}>{t('send.text')}</p>
      <NamelessChoice study={study}>{(given) => <SendOne key={given.uuid} study={given} />}</NamelessChoice>
    </div>
  )
}

function SendOne({ study }: { study: Study }) {
  const { data } = useQuery(trackedQuery(study.uuid))
  const having = data?.sends.filter(({ kind, state }) => kind !== 'email' && state !== 'failed' && state !== 'ended')
  return (
    <Sending studies={[study]} known={haveAccess(having?.map(({ uuid }) => uuid))}>
      <SendTracker study={study} />
    </Sending>
  )
}

/** PANEL-06: several exams at once. */
export function SendMany({ studies }: { studies: readonly Study[] }) {
  const known = useKnownRecipients(studies)
  return (
    <div className={panel.content}>
      <h3 className={panel.heading}>{t('send.title', { count: studies.length })}</h3>
      <p className={panel.note}>{t('send.text')}</p>
      {hasNamesBeside(studies) ? (
        <>
          <Banner tone="priority">{t('nameless.beside')}</Banner>
          <ExamTable studies={studies} />
        </>
      ) : (
        <Sending key={studies.map(({ uuid }) => uuid).join(' ')} studies={studies} known={known} />
      )}
    </div>
  )
}

interface SendingProps {
  studies: readonly Study[]
  /** Recipients that have access to the exam already, or will have. */
  known: KnownRecipients
  children?: ReactNode
}

function Sending({ studies, known, children }: SendingProps) {
  // a form anew after each sending: `Send more exams`
  const [round, setRound] = useState(0)
  const patients = patientsOf(studies.map((study) => ({ study })))
  return (
    <>
      {studies.some(({ arrival }) => arrival === 'receiving') && <Banner tone="neutral">{t('share.receiving')}</Banner>}
      {studies.some(({ arrival }) => arrival === 'incomplete') && (
        <Banner tone="priority">{t('share.incomplete')}</Banner>
      )}
      {studies.some((one) => one.mixed_patients === 1) && <Banner tone="priority">{t('share.mixed')}</Banner>}
      <p className={panel.note} data-summary>
        {t('send.summary', {
          patients: t('send.patients', { count: patients }),
          exams: t('send.exams', { count: studies.length }),
        })}
      </p>
      {/* of a single exam the head of the panel tells all */}
      {studies.length > 1 && <ExamTable studies={studies} />}
      <SendForm
        key={round}
        studies={studies}
        patients={patients}
        known={known}
        onMore={() => setRound(round + 1)}
        isAgain={round > 0}
      />
      {children}
    </>
  )
}
