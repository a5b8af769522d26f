import { maxConnectionMessage } from '@hilum/contract/limits'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiFailure } from '../../../api/api-failure.ts'
import { Textarea, TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import type { useConnections } from '../../../queries/connections.ts'
import { putNotice } from '../../../state/notices.ts'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import style from '../users/users.module.css'

interface AskFormProps {
  ask: ReturnType<typeof useConnections>['ask']
  onClose: () => void
}

/** Asks another organisation, by its name, to exchange exams. */
export function AskForm({ ask, onClose }: AskFormProps) {
  const [name, setName] = useState('')
  const [message, setMessage] = useState('')
  const [isEmpty, setIsEmpty] = useState(false)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const values = { name: name.trim(), message: message.trim() }
    setIsEmpty(!values.name)
    if (!values.name || ask.isPending) return
    ask.mutate(values, {
      onSuccess: () => {
        putNotice(t('connections.asked', { name: values.name }))
        onClose()
      },
    })
  }
  const fault = isEmpty ? t('connections.fault.empty') : ask.isError ? t(faultOf(ask.error)) : undefined
  return (
    <Dialog title={t('connections.askTitle')} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.form} noValidate onSubmit={handleSubmit}>
        <TextInput
          data-autofocus
          label={t('connections.askName')}
          description={t('connections.askNameHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={200}
          value={name}
          error={fault}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setIsEmpty(false)
            ask.reset()
          }}
        />
        <Textarea
          label={t('connections.askMessage')}
          rows={3}
          maxLength={maxConnectionMessage}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <div className={style.buttons}>
          <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
          <Button type="submit" loading={ask.isPending}>
            {t('connections.askSend')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function faultOf(failure: Error) {
  if (!(failure instanceof ApiFailure)) return 'connections.fault.other'
  const { code, subtype } = failure
  if (code === 'NOT_FOUND' || code === 'ALREADY_EXISTS' || code === 'LOCKOUT')
    return `connections.fault.${code}` as const
  if (code === 'INVALID_FIELD') return subtype === 'message' ? 'connections.fault.message' : 'connections.fault.own'
  return 'connections.fault.other'
}
