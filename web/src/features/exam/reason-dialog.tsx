import { maxReason } from '@hilum/contract/limits'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Textarea } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { Dialog } from '../../ui/dialog.tsx'
import style from './acts.module.css'

interface ReasonDialogProps {
  title: string
  text: string
  /** Label of the field, and who reads what is written there. */
  label: string
  hint: string
  /** Label of the button that does it. */
  button: string
  isPending: boolean
  onClose: () => void
  onConfirm: (reason: string) => void
  /** A failure, above the buttons. */
  children?: ReactNode
}

/** Asks for a reason before something is done that others are told of. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, text, label, hint, button, isPending, onClose, onConfirm, children } = props
  const [reason, setReason] = useState('')
  const tooMany = reason.trim().length - maxReason
  const isReady = reason.trim() !== '' && tooMany <= 0
  return (
    <Dialog title={title} closeLabel={t('button.close')} onClose={onClose}>
      <form
        className={style.confirm}
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) onConfirm(reason.trim())
        }}
      >
        <p>{text}</p>
        <Textarea
          data-autofocus
          label={label}
          description={hint}
          rows={3}
          value={reason}
          error={tooMany > 0 && t('share.messageTooLong', { most: maxReason, count: tooMany })}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {children}
        <div className={style.choices}>
          <Button variant="default" disabled={isPending} onClick={onClose}>
            {t('delete.cancel')}
          </Button>
          <Button type="submit" color="red" loading={isPending} disabled={!isReady}>
            {button}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
