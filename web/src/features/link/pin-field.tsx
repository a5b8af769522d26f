import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode, RefObject } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { mailLinkPin } from '../../queries/opened-link.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './link.module.css'
import { closedStateOf, type ClosedState } from './link-states.ts'

interface PinFieldProps {
  token: string
  field: RefObject<HTMLInputElement | null>
  value: string
  error: ReactNode
  onChange: (typed: string) => void
  onClosed: (state: ClosedState) => void
}

/** The code that is mailed to the addressee of a link, once the person asks for it. */
export function PinField({ token, field, value, error, onChange, onClosed }: PinFieldProps) {
  const mailing = useMutation({
    mutationFn: () => mailLinkPin(token),
    onSuccess: () => field.current?.focus(),
    onError: (failure) => {
      const state = closedStateOf(failure)
      if (state) onClosed(state)
    },
  })
  const code = mailing.isError ? failureCode(mailing.error) : undefined
  return (
    <div className={style.pin}>
      <p className={style.note}>{t('link.pin.text')}</p>
      <div className={style.row}>
        <Button variant="default" size="sm" loading={mailing.isPending} onClick={() => mailing.mutate()}>
          {t(mailing.isSuccess ? 'link.pin.again' : 'link.pin.send')}
        </Button>
      </div>
      {mailing.isSuccess && (
        <Banner tone={mailing.data.isMailed ? 'completed' : 'priority'}>
          {t(mailing.data.isMailed ? 'link.pin.sent' : 'link.pin.unsent')}
        </Banner>
      )}
      {code && (
        <Banner tone="failed">
          {t(code === 'LOCKOUT' ? 'link.pin.tooMany' : code === 'ERR_NETWORK' ? 'link.network' : 'link.pin.failed')}
        </Banner>
      )}
      <TextInput
        ref={field}
        size="sm"
        label={t('link.pin')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}
