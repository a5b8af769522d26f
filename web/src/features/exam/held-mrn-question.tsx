import type { HeldMrn } from '@hilum/contract/entities/mrn-holder'
import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { nameText } from '../../format/person-name.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { IconAlertTriangleFilled } from '../../ui/icons.ts'
import style from './acts.module.css'
import { HolderList } from './holder-list.tsx'
import { holderText, reasonWords } from './mrn-holder-text.ts'

export const longestReason = 500

interface Props {
  study: Pick<Study, 'patient_name' | 'patientid'>
  held: HeldMrn
  onGoOn: (reason: string) => void
  onDecline: () => void
}

/** The other people under the new MRN, and the question why this patient has it too. Takes the focus, as it is new. */
export function HeldMrnQuestion({ study, held, onGoOn, onDecline }: Props) {
  const { dateFormat } = usePreferences()
  const [reason, setReason] = useState('')
  const [hasTried, setHasTried] = useState(false)
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    title.current?.focus({ preventScroll: true })
    title.current?.closest('form')?.scrollIntoView({ block: 'nearest' })
  }, [])
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim()) onGoOn(reason.trim())
    else {
      setHasTried(true)
      input.current?.focus()
    }
  }
  const isMissing = hasTried && reason.trim() === ''
  return (
    <form className={style.question} aria-labelledby={titleId} onSubmit={handleSubmit} noValidate>
      <h4 id={titleId} ref={title} tabIndex={-1}>
        <IconAlertTriangleFilled size={16} />
        {t('mrn.heldTitle', { mrn: held.patientid })}
      </h4>
      <p>{t('mrn.heldText', { name: nameText(study.patient_name) || t('card.noName') })}</p>
      <HolderList
        held={held}
        elsewhere={t('mrn.heldElsewhere')}
        className={style.list}
        render={(holder) => (
          <>
            <strong>{holderText(holder, dateFormat)}</strong>
            <span className={style.reason}>{reasonWords(holder)}</span>
          </>
        )}
      />
      <p>{t('mrn.heldMore')}</p>
      <TextInput
        ref={input}
        label={t('mrn.reason')}
        value={reason}
        required
        withAsterisk={false}
        maxLength={longestReason}
        autoComplete="off"
        error={isMissing ? t('mrn.reasonMissing') : undefined}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div className={style.choices}>
        <Button variant="default" onClick={onDecline}>
          {study.patientid ? t('mrn.keep', { mrn: study.patientid }) : t('mrn.keepNone')}
        </Button>
        <Button type="submit" color="red">
          {t('mrn.goOn')}
        </Button>
      </div>
    </form>
  )
}
