import { Button } from '@mantine/core'
import { t } from '../../../labels/label.ts'
import type { RoutingRule } from '../../../queries/routing-rules.ts'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import { ChosenNames } from '../grid/chosen-names.tsx'
import style from './routing.module.css'

interface DeleteDialogProps {
  rules: readonly RoutingRule[]
  /** Keys of the rules that the grid shows. */
  shown: ReadonlySet<string>
  isBusy: boolean
  onDelete: () => void
  onClose: () => void
}

/** Asks before rules are deleted (ADMIN-ROUTES-05). */
export function DeleteDialog({ rules, shown, isBusy, onDelete, onClose }: DeleteDialogProps) {
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
      {!isOne && (
        <ChosenNames
          label={t('grid.chosen')}
          ones={rules.map((one) => ({ key: one.uuid, name: one.name }))}
          shown={shown}
        />
      )}
      <div className={style.buttons}>
        <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
        <Button color="red" loading={isBusy} data-autofocus onClick={onDelete}>
          {t('routing.delete')}
        </Button>
      </div>
    </Dialog>
  )
}
