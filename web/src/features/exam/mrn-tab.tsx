import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { valueFaultText } from '../../labels/value-fault.ts'
import { mrnsSeenOf, readHeldMrn, useChangeMrn, useEndMrnOfAll } from '../../queries/exam-acts.ts'
import { editLimitsQuery } from '../../queries/study-facts.ts'
import { useEstablished } from '../../session/session-store.ts'
import { useDraft } from '../../state/drafts.ts'
import { Banner } from '../../ui/banner.tsx'
import { ActFailure } from './act-failure.tsx'
import style from './acts.module.css'
import panel from './exam-panel.module.css'
import { FactList } from './fact-list.tsx'
import { HeldMrnQuestion, longestReason } from './held-mrn-question.tsx'
import { PassingBanner } from '../../ui/passing-banner.tsx'
import { MrnOfAll, UndoMrn, useLastMrnChange } from './undo-mrn.tsx'

/** MRN-01: one input and Update. Typed values are kept until they are sent, also over the end of the session. */
export function MrnTab({ study }: { study: Study }) {
  const [typed, setTyped] = useDraft(`mrn ${study.uuid}`)
  /** The MRN, as JSON, that stood there when typing began or that was seen since. */
  const [seen, setSeen] = useDraft(`mrn seen ${study.uuid}`)
  const change = useChangeMrn(study.uuid)
  const ending = useEndMrnOfAll(study.uuid)
  const [last, noteLast] = useLastMrnChange(study)
  const input = useRef<HTMLInputElement>(null)
  const { account } = useEstablished()
  const before = study.patientid
  const after = typed.trim()
  const isSame = after === before
  /** Written once more, the MRN is said to be that of all images. */
  const isOfAll = isSame && after !== '' && study.image_mrns !== undefined
  const [reason, setReason] = useDraft(`mrn of all ${study.uuid}`)
  const fault = isSame ? undefined : valueFaultText(after, 'LO')
  const isLocked = study.is_locked === 1
  const isOvertaken = seen !== '' && seen !== JSON.stringify(before) && !isSame
  const isUnsaid = isOfAll ? reason.trim() === '' : isSame
  const isBlocked = !after || isUnsaid || fault !== undefined || isLocked || isOvertaken
  const held = readHeldMrn(change.error)
  const type = (text: string) => {
    setTyped(text)
    if (text === '' || seen === '') setSeen(text && JSON.stringify(before))
  }
  // of several patients the banner tells, and whoever says that they are one sees each
  const { seen_mrns: seenMrns } = mrnsSeenOf(study)
  const give = (mrn: string, reason?: string) =>
    change.mutate(
      { before, after: mrn, seen: seenMrns, ...(reason ? { reason } : {}) },
      {
        onSuccess: () => {
          type('')
          setReason('')
          if (mrn !== before) noteLast(mrn === last?.before ? undefined : { before, after: mrn })
        },
      },
    )
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isBlocked || change.isPending) return
    if (isOfAll) give(after, reason.trim())
    else give(after)
  }
  const handleGoOn = (reason: string) => {
    input.current?.focus() // the question goes, and the focus must not go with it
    if (change.variables) give(change.variables.after, reason)
  }
  const handleDecline = () => {
    change.reset()
    type('')
    input.current?.focus()
  }
  return (
    <div className={panel.content}>
      <h3 className={panel.heading}>{t('mrn.title')}</h3>
      <p className={panel.note}>{t('mrn.text')}</p>
      {study.image_mrns && before && <p className={panel.note}>{t('mrn.severalText', { mrn: before })}</p>}
      <FactList
        facts={[
          [t('mrn.now'), before],
          [t('mrn.issuer'), study.issuer],
        ]}
      />
      {study.mrn_outside === 1 && <p className={panel.note}>{t('mrn.outside', { account: account.name })}</p>}
      <EditLimits study={study} />
      <form className={style.form} onSubmit={handleSubmit}>
        <TextInput
          ref={input}
          className={style.grow}
          label={t('mrn.input')}
          value={typed}
          error={fault}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            if (change.isError) change.reset()
            type(event.currentTarget.value)
          }}
        />
        {isOfAll && (
          <TextInput
            className={style.whole}
            label={t('mrn.ofAllReason')}
            value={reason}
            maxLength={longestReason}
            autoComplete="off"
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        {/* MRN-02 */}
        <Button type="submit" disabled={isBlocked} loading={change.isPending}>
          {t('mrn.update')}
        </Button>
      </form>
      {isOvertaken && (
        <Banner
          tone="info"
          action={
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                setSeen(JSON.stringify(before))
                input.current?.focus()
              }}
            >
              {t('mrn.replace')}
            </Button>
          }
        >
          {t('mrn.overtaken', {
            from: (JSON.parse(seen) as string) || t('field.none'),
            now: before || t('field.none'),
          })}
        </Banner>
      )}
      {isOfAll && <p className={panel.note}>{t('mrn.ofAll', { mrn: after })}</p>}
      {after && isSame && !isOfAll && <p className={panel.note}>{t('mrn.same')}</p>}
      {after && !isSame && !fault && (
        <p className={style.change} aria-label={t('mrn.changeLabel')}>
          <del>{before || t('field.none')}</del> → <ins>{after}</ins>
        </p>
      )}
      {held && (
        <HeldMrnQuestion
          key={change.submittedAt}
          study={study}
          held={held}
          onGoOn={handleGoOn}
          onDecline={handleDecline}
        />
      )}
      {change.isError && !held && (
        <ActFailure
          text={t('mrn.failed')}
          failure={change.error}
          onRetry={() => give(change.variables.after, change.variables.reason)}
        />
      )}
      {change.isSuccess && study.mixed_patients === 0 && (
        <PassingBanner key={change.submittedAt} onGone={change.reset}>
          {change.variables.before === change.variables.after
            ? t('mrn.doneOfAll', { mrn: change.variables.after })
            : t('mrn.done', {
                before: change.variables.before || t('field.none'),
                after: change.variables.after || t('field.none'),
              })}
        </PassingBanner>
      )}
      {ending.isError && <ActFailure text={t('mrn.failed')} failure={ending.error} onRetry={() => ending.mutate()} />}
      {ending.isSuccess && (
        <PassingBanner key={ending.submittedAt} onGone={ending.reset}>
          {t('mrn.endedOfAll', { mrn: before })}
        </PassingBanner>
      )}
      <MrnOfAll study={study} isDisabled={isLocked || ending.isPending} onUndo={() => ending.mutate()} />
      {last && <UndoMrn last={last} isDisabled={isLocked || change.isPending} onUndo={() => give(last.before)} />}
    </div>
  )
}

/** Objects whose inside keeps the old MRN: nobody must believe that the change reaches them. */
function EditLimits({ study }: { study: Study }) {
  const { data } = useQuery({ ...editLimitsQuery(study.uuid, study.image_count), enabled: study.image_count > 0 })
  if (!data || data.pdf + data.sr + data.burned_in === 0) return null
  return (
    <Banner tone="priority">
      {t('mrn.limits')}
      <ul className={style.list}>
        {data.pdf > 0 && <li>{t('mrn.limitsPdf', { count: data.pdf })}</li>}
        {data.sr > 0 && <li>{t('mrn.limitsSr', { count: data.sr })}</li>}
        {data.burned_in > 0 && <li>{t('mrn.limitsBurnedIn', { count: data.burned_in })}</li>}
      </ul>
    </Banner>
  )
}
