import type { Study } from '@hilum/contract/entities/study'
import { type ReactNode, useState } from 'react'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import { ExamTable } from './exam-table.tsx'
import panel from './exam-panel.module.css'
import { hasNamesBeside } from './names-beside.ts'
import { NamelessChoice } from './nameless-choice.tsx'
import { SendForm } from './send-form.tsx'
import { SendTracker } from './send-tracker.tsx'

/** SEND-01 to SEND-06 for one exam. */
export function SendTab({ study }: { study: Study }) {
  return (
    <div className={panel.content}>
      <h3 className={panel.heading}>{t('send.title', { count: 1 })}</h3>
      <p className={panel.note}>{t('send.text')}</p>
      <NamelessChoice study={study}>
        {(given) => (
          <Sending key={given.uuid} studies={[given]}>
            <SendTracker study={given} />
          </Sending>
        )}
      </NamelessChoice>
    </div>
  )
}

/** PANEL-06: several exams at once. */
export function SendMany({ studies }: { studies: readonly Study[] }) {
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
        <Sending key={studies.map(({ uuid }) => uuid).join(' ')} studies={studies} />
      )}
    </div>
  )
}

function Sending({ studies, children }: { studies: readonly Study[]; children?: ReactNode }) {
  // a form anew after each sending: `Send more exams`
  const [round, setRound] = useState(0)
  const patients = new Set(studies.map((one) => `${one.patient_name} ${one.patientid} ${one.patient_birth_date}`)).size
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
        onMore={() => setRound(round + 1)}
        isAgain={round > 0}
      />
      {children}
    </>
  )
}
