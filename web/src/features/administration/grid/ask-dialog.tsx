import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../../labels/label.ts'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import style from '../users/users.module.css'

interface AskDialogProps {
  title: string
  text: string
  /** Objects of the act, one by one. */
  children?: ReactNode
  act: string
  /** Whether the act takes something away. */
  isRemoval?: boolean
  isBusy: boolean
  onAct: () => void
  onClose: () => void
}

/** Asks before an act that cannot be taken back, mostly a removal. */
export function AskDialog({ title, text, children, act, isRemoval = true, isBusy, onAct, onClose }: AskDialogProps) {
  return (
    <Dialog title={title} closeLabel={t('button.close')} onClose={onClose}>
      <p className={style.question}>{text}</p>
      {children}
      <div className={style.buttons}>
        <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
        <Button {...(isRemoval ? { color: 'red' } : {})} loading={isBusy} data-autofocus onClick={onAct}>
          {act}
        </Button>
      </div>
    </Dialog>
  )
}
