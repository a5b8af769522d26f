import { Button } from '@mantine/core'
import { t } from '../../../labels/label.ts'
import type { RoutingRule } from '../../../queries/routing-rules.ts'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import style from './routing.module.css'

interface DeleteDialogProps {
  rules: readonly RoutingRule[]
  isBusy: boolean
  onDelete: () => void
  onClose: () => void
}

/** Asks before rules are deleted (ADMIN-ROUTES-05). */
export function DeleteDialog({ rules, isBusy, onDelete, onClose }: DeleteDialogProps) {
  const [first, second] = rules
  const isOne = first !== undefined && second === undefined
  return (
    <Dialog
      title={t(isOne ? 'routing.ask.delete' : 'routing.askMany.delete')}
      closeLabel={t('button.close')}
      onClose={onClose}
    >
      <p className={style.question}>
        {isOne ? t('routing.text.delete', { name: first.name }) : t('routing.textMany.delete', { count: rules.length })}
      </p>
      <div className={style.buttons}>
        <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
        <Button color="red" loading={isBusy} data-autofocus onClick={onDelete}>
          {t('routing.delete')}
        </Button>
      </div>
    </Dialog>
  )
}
