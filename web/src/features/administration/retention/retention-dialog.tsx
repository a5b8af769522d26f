import { maxReason } from '@hilum/contract/limits'
import { Button } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { Textarea, TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { type RetentionAct, type RetentionTarget, useChangeRetention } from '../../../queries/retention.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import { StaleBanner } from '../stale-banner.tsx'
import { type Seen, useSeen } from '../use-seen.ts'
import style from './retention.module.css'

/** The act that is asked about, on an exam or a patient. */
export interface AskedRetention {
  act: RetentionAct
  thing: RetentionTarget
  name: string
  /** The last day of a date that is there, YYYY-MM-DD; undefined of what keeps no date. */
  lastDay?: string | null
}

interface RetentionDialogProps extends AskedRetention {
  onDone: () => void
  onClose: () => void
}

/** Asks for the reason of a hold, of its end or of a date, and for the day. */
export function RetentionDialog({ act, thing, name, lastDay, onDone, onClose }: RetentionDialogProps) {
  const { account } = useEstablished()
  const [reason, setReason] = useState('')
  const [day, setDay] = useState(lastDay ?? '')
  const [showsFaults, setShowsFaults] = useState(false)
  const dayField = useRef<HTMLInputElement>(null)
  // a day that is typed in part has no value, as an empty one has none
  const [isDayInPart, setIsDayInPart] = useState(false)
  const change = useChangeRetention(account.uuid)
  const said = reason.trim()
  const faults = {
    reason: said === '' || said.length > maxReason ? t('retention.reasonWrong', { most: maxReason }) : undefined,
    day: act === 'date' && (isDayInPart || !isLastDay(day, lastDay)) ? t('retention.dayWrong') : undefined,
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setShowsFaults(true)
    const isInPart = dayField.current?.validity.badInput === true
    setIsDayInPart(isInPart)
    if (faults.reason || faults.day || isInPart || change.isPending) return
    guarded.save()
  }
  const send = (seen: Seen) =>
    change.mutate(
      { act, thing, reason: said, lastDay: day, seen },
      {
        onSuccess: () => {
          putNotice(t(`retention.done.${act}`, { name }))
          onDone()
        },
      },
    )
  const guarded = useSeen(lastDay === undefined ? undefined : { retain_until: lastDay }, ['retain_until'], send)
  const title = t(`retention.actOn.${act}`, { name })
  const isGone = change.error instanceof ApiFailure && change.error.code === 'NOT_FOUND'
  return (
    <Dialog title={title} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.form} aria-label={title} noValidate onSubmit={handleSubmit}>
        <p className={style.hint}>{t(`retention.ask.${act}`)}</p>
        {act === 'date' && (
          <TextInput
            ref={dayField}
            type="date"
            label={t('retention.lastDay')}
            value={day}
            data-autofocus
            error={showsFaults ? faults.day : undefined}
            onChange={(event) => {
              setDay(event.currentTarget.value)
              setIsDayInPart(event.currentTarget.validity.badInput)
            }}
          />
        )}
        <Textarea
          label={t('retention.reasonLabel')}
          description={t('retention.reasonHelp')}
          rows={3}
          value={reason}
          {...(act === 'date' ? {} : { 'data-autofocus': true })}
          error={showsFaults ? faults.reason : undefined}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {change.isError && failureCode(change.error) !== 'STALE' && (
          <Banner tone="failed">{t(isGone ? 'retention.keepGone' : 'retention.keepFailed')}</Banner>
        )}
        <StaleBanner failure={change.error} isSaving={change.isPending} onSaveMine={guarded.saveMine} />
        <div className={style.acts}>
          <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
          <Button type="submit" {...(act === 'release' ? { color: 'red' } : {})} loading={change.isPending}>
            {t(`retention.act.${act}`)}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Whether a text is a day that keeps something, in UTC, or empty to take back a date that is there. */
function isLastDay(day: string, before: string | null | undefined): boolean {
  return day === '' ? Boolean(before) : day >= new Date().toISOString().slice(0, 10)
}
