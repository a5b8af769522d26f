import { Button } from '@mantine/core'
import { t } from '../../../labels/label.ts'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import style from '../users/users.module.css'

interface AskDialogProps {
  title: string
  text: string
  act: string
  /** Whether the act takes something away. */
  isRemoval?: boolean
  isBusy: boolean
  onAct: () => void
  onClose: () => void
}

/** Asks before an act that cannot be taken back, mostly a removal. */
export function AskDialog({ title, text, act, isRemoval = true, isBusy, onAct, onClose }: AskDialogProps) {
  return (
    <Dialog title={title} closeLabel={t('button.close')} onClose={onClose}>
      <p className={style.question}>{text}</p>
      <div className={style.buttons}>
        <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
        <Button {...(isRemoval ? { color: 'red' } : {})} loading={isBusy} data-autofocus onClick={onAct}>
          {act}
        </Button>
      </div>
    </Dialog>
  )
}
