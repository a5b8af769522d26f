import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiFailure } from '../../../api/api-failure.ts'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { useCloseOrganisation } from '../../../queries/close-organisation.ts'
import { useProof, wantsProof } from '../../../session/use-proof.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import style from './organisation.module.css'

interface CloseDialogProps {
  account: { uuid: string; name: string }
  onClosed: () => void
  onClose: () => void
}

/** Says what the closing of an organisation ends, and closes once its name was typed. */
export function CloseDialog({ account, onClosed, onClose }: CloseDialogProps) {
  const [typed, setTyped] = useState('')
  const [showsFaults, setShowsFaults] = useState(false)
  const close = useCloseOrganisation()
  const proof = useProof()
  const isNamed = typed.trim() === account.name.trim()
  const send = () => close.mutate(account.uuid, { onSuccess: onClosed, onError: (failure) => proof.ask(failure, send) })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setShowsFaults(true)
    if (isNamed && !close.isPending) send()
  }
  return (
    <Dialog title={t('close.title', { name: account.name })} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.form} noValidate onSubmit={handleSubmit}>
        <p className={style.warning}>{t('close.lead')}</p>
        <ul className={style.ends}>
          <li>{t('close.people')}</li>
          <li>{t('close.outside')}</li>
          <li>{t('close.stays')}</li>
        </ul>
        {close.isError && !wantsProof(close.error) && <Banner tone="failed">{reasonOf(close.error)}</Banner>}
        <TextInput
          data-autofocus
          label={t('close.name')}
          description={account.name}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          error={showsFaults && !isNamed && t('close.nameWrong')}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div className={style.acts}>
          <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
          <Button type="submit" color="red" loading={close.isPending || close.isSuccess}>
            {t('close.do')}
          </Button>
        </div>
      </form>
      {proof.dialog}
    </Dialog>
  )
}

function reasonOf(error: Error): string {
  if (!(error instanceof ApiFailure)) return t('close.failed')
  if (error.code === 'NOT_EMPTY') return t('close.notEmpty')
  if (error.subtype === 'LAST_ACCOUNT') return t('close.last')
  return error.subtype === 'SYSTEM_ADMINISTRATOR' ? t('close.operator') : t('close.failed')
}
