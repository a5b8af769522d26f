import { Button } from '@mantine/core'
import { t } from '../../../labels/label.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import style from '../users/users.module.css'

interface AskDialogProps {
  title: string
  text: string
  act: string
  /** Red, unless the act takes nothing away. */
  color?: 'red' | 'blue'
  isBusy: boolean
  onAct: () => void
  onClose: () => void
}

/** Asks before an act that cannot be taken back, mostly a removal. */
export function AskDialog({ title, text, act, color = 'red', isBusy, onAct, onClose }: AskDialogProps) {
  return (
    <Dialog title={title} closeLabel={t('button.close')} onClose={onClose}>
      <p className={style.question}>{text}</p>
      <div className={style.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('button.cancel')}
        </Button>
        <Button color={color} loading={isBusy} data-autofocus onClick={onAct}>
          {act}
        </Button>
      </div>
    </Dialog>
  )
}
