import { studyPushConfirm } from '@hilum/contract/calls/study-nominate'
import type { Nomination, Study } from '@hilum/contract/entities/study'
import { Button, Checkbox } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiFailure, failureCode } from '../../api/api-failure.ts'
import { formatStamp } from '../../format/dates.ts'
import { hasLabel, t } from '../../labels/label.ts'
import { useConfirmMatch } from '../../queries/processing.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { mayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './acts.module.css'
import { compareOutgoing } from './compare-patient.ts'
import { sendFailure } from './compare-step.tsx'
import { comparedFields } from './demographic-table.tsx'
import panel from './exam-panel.module.css'
import part from './nominate.module.css'
import { sizeStyle } from './process-steps.ts'
import { shownOfStudy, shownValue } from './shown-value.ts'

interface ConfirmMatchProps {
  study: Study
  asked: NonNullable<Nomination['asked']>
  groupName: string
  onReject: () => void
  onAgain: () => void
  onSent: () => void
}

/** A match that waits for a second person: who made it, the patient before and after it, and the word of the second. */
export function ConfirmMatch({ study, asked, groupName, onReject, onAgain, onSent }: ConfirmMatchProps) {
  const { user } = useEstablished()
  const { dateFormat, timeZone } = usePreferences()
  const [isConfirmed, setConfirmed] = useState(false)
  const [isWithout, setWithout] = useState(false)
  const isNumberless = study.patientid.trim() === ''
  const confirm = useConfirmMatch(study)
  const isOwn = asked.by_uuid === user.uuid
  const mayDecide = mayCall(studyPushConfirm, study.permissions)
  const { verdict } = compareOutgoing(study, asked.came)
  const mayConfirm = isConfirmed && (!isNumberless || isWithout)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const reason = isNumberless ? t('process.withoutMrnReason') : undefined
    if (mayConfirm && !confirm.isPending) confirm.mutate(reason, { onSuccess: onSent })
  }
  const slots = { name: asked.by_name, destination: asked.destination_name.replaceAll('_', ' '), group: groupName }
  return (
    <section className={`${part.part} ${part.narrow}`} aria-label={t('process.confirmTitle')}>
      <h3 className={panel.heading}>{t('process.confirmTitle')}</h3>
      <Banner tone="priority">{t(isOwn ? 'process.matchOwn' : 'process.matchOther', slots)}</Banner>
      <p className={panel.note}>{t('process.matchAt', { when: formatStamp(asked.at, dateFormat, timeZone) })}</p>
      <MatchTable study={study} came={asked.came} />
      {verdict === 'different' && <Banner tone="failed">{t('process.warnDifferent')}</Banner>}
      {verdict === 'likely' && <Banner tone="priority">{t('process.warnLikely')}</Banner>}
      {confirm.isError && (
        <Banner tone="failed">
          {isMatchStale(confirm.error) ? t('process.matchStale') : sendFailure(confirm.error)}
        </Banner>
      )}
      {confirm.isSuccess && <Banner tone="completed">{t('process.sent')}</Banner>}
      {!mayDecide && <Banner tone="neutral">{t('process.notYours')}</Banner>}
      {mayDecide && (
        <form className={part.form} aria-label={t('process.confirmTitle')} onSubmit={handleSubmit}>
          {!isOwn && (
            <Checkbox
              label={t('process.confirmPatient')}
              checked={isConfirmed}
              onChange={(event) => setConfirmed(event.currentTarget.checked)}
            />
          )}
          {!isOwn && isNumberless && (
            <Checkbox
              label={t('process.withoutMrn')}
              checked={isWithout}
              onChange={(event) => setWithout(event.currentTarget.checked)}
            />
          )}
          <div className={panel.actions}>
            <Button variant="default" disabled={confirm.isPending || confirm.isSuccess} onClick={onReject}>
              {t('process.reject')}
            </Button>
            <Button variant="default" disabled={confirm.isPending || confirm.isSuccess} onClick={onAgain}>
              {t('process.matchAgain')}
            </Button>
            {!isOwn && (
              <Button type="submit" disabled={!mayConfirm || confirm.isSuccess} loading={confirm.isPending}>
                {t('process.confirmSend')}
              </Button>
            )}
          </div>
        </form>
      )}
    </section>
  )
}

/** Whether the exam is not as it was matched any more; of its order the server says so apart. */
function isMatchStale(failure: unknown): boolean {
  return failureCode(failure) === 'STALE' && !(failure instanceof ApiFailure && failure.subtype)
}

function MatchTable({ study, came }: { study: Study; came: Readonly<Partial<Record<string, string>>> }) {
  const { dateFormat } = usePreferences()
  const reasons: Partial<Record<string, string>> = compareOutgoing(study, came).reasons
  const meaning = (field: (typeof comparedFields)[number][0]) => {
    const key = `identity.${reasons[field]}`
    if (hasLabel(key)) return t(key as 'identity.name-same') // without slots
    return t((came[field] ?? study[field]) === study[field] ? 'process.differs.same' : 'process.differs.other')
  }
  return (
    <div style={sizeStyle('ordered')}>
      <table className={`${style.table} ${part.compared}`} aria-label={t('process.compareTable')}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('process.came')}</th>
            <th scope="col">{t('process.leaves')}</th>
            <th scope="col">{t('process.meaning')}</th>
          </tr>
        </thead>
        <tbody>
          {comparedFields.map(([field, label]) => (
            <tr key={field}>
              <th scope="row">{t(label)}</th>
              <td>{shownValue(field, came[field] ?? study[field], dateFormat)}</td>
              <td>{shownOfStudy(study, field, dateFormat)}</td>
              <td data-other={reasons[field]?.endsWith('-different')}>{meaning(field)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
