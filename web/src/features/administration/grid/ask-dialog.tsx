import { Button } from '@mantine/core'
import { t } from '../../../labels/label.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import style from '../users/users.module.css'

interface AskDialogProps {
  title: string
  text: string
  act: string
  isBusy: boolean
  onAct: () => void
  onClose: () => void
}

/** Asks before something is removed. */
export function AskDialog({ title, text, act, isBusy, onAct, onClose }: AskDialogProps) {
  return (
    <Dialog title={title} closeLabel={t('button.close')} onClose={onClose}>
      <p className={style.question}>{text}</p>
      <div className={style.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('button.cancel')}
        </Button>
        <Button color="red" loading={isBusy} data-autofocus onClick={onAct}>
          {act}
        </Button>
      </div>
    </Dialog>
  )
}
