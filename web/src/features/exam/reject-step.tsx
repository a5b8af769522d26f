import type { Study } from '@hilum/contract/entities/study'
import { type RejectionCode, rejectionCodeValues } from '@hilum/contract/rejection-codes'
import { Button, NativeSelect } from '@mantine/core'
import type { FormEvent } from 'react'
import { useRef, useState } from 'react'
import { Textarea, TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { type Gate, useRejectNomination } from '../../queries/processing.ts'
import { Banner } from '../../ui/banner.tsx'
import { failureText } from './act-failure.tsx'
import panel from './exam-panel.module.css'
import part from './nominate.module.css'

interface RejectStepProps {
  study: Study
  gate: Gate
  onCancel: () => void
  onRejected: () => void
}

/** PROCESS-16: the reason why an exam is not taken, and a message to whoever nominated it. */
export function RejectStep({ study, gate, onCancel, onRejected }: RejectStepProps) {
  const reasonField = useRef<HTMLInputElement>(null)
  const [reason, setReason] = useState('')
  const [code, setCode] = useState<RejectionCode | ''>('')
  const [message, setMessage] = useState('')
  const [isTried, setTried] = useState(false)
  const reject = useRejectNomination(study, gate)
  /** A kind stands as the reason, too, until somebody writes one. */
  const handleCode = (chosen: RejectionCode | '') => {
    const isOwnWords = reason !== '' && reason !== (code && t(`process.rejectCode.${code}`))
    if (!isOwnWords) setReason(chosen && t(`process.rejectCode.${chosen}`))
    setCode(chosen)
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!reason.trim()) reasonField.current?.focus()
    else if (!reject.isPending)
      reject.mutate({ reason: reason.trim(), code, message: message.trim() }, { onSuccess: onRejected })
  }
  return (
    <form className={part.form} aria-label={t('process.step.rejection')} noValidate onSubmit={handleSubmit}>
      {reject.isError && <Banner tone="failed">{`${t('process.rejectFailed')}. ${failureText(reject.error)}`}</Banner>}
      {reject.isSuccess && <Banner tone="completed">{t('process.rejected')}</Banner>}
      <NativeSelect
        label={t('process.rejectCode')}
        value={code}
        data={[
          { value: '', label: t('process.rejectCode.none') },
          ...rejectionCodeValues.map((value) => ({ value, label: t(`process.rejectCode.${value}`) })),
        ]}
        onChange={(event) => handleCode(event.currentTarget.value as RejectionCode | '')} // one of the options above
      />
      <TextInput
        ref={reasonField}
        label={t('process.rejectReason')}
        required
        value={reason}
        error={isTried && !reason.trim() && t('process.rejectMissing')}
        maxLength={500}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Textarea
        label={t('process.rejectMessage')}
        rows={3}
        value={message}
        maxLength={2000}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <div className={panel.actions}>
        <Button variant="default" disabled={reject.isPending || reject.isSuccess} onClick={onCancel}>
          {t('process.cancel')}
        </Button>
        <Button type="submit" color="red" disabled={reject.isSuccess} loading={reject.isPending}>
          {t('process.reject')}
        </Button>
      </div>
    </form>
  )
}
