import { Button } from '@mantine/core'
import { nameWithEmail } from '../../../format/name-with-email.ts'
import { t } from '../../../labels/label.ts'
import type { AccountUser, UserAct } from '../../../queries/account-users.ts'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import { ChosenNames } from '../grid/chosen-names.tsx'
import { HeldLine } from './leavers/held-line.tsx'
import style from './users.module.css'

interface ActDialogProps {
  act: UserAct
  /** Somebody by name, or the users of a selection to whom the act can be done. */
  target: { one: AccountUser } | { many: readonly AccountUser[]; leftOut: number }
  /** Keys of the users whom the grid shows. */
  shown: ReadonlySet<string>
  isBusy: boolean
  onAct: () => void
  onClose: () => void
}

/** Asks before users are enabled, disabled or deleted (ADMIN-USERS-04). */
export function ActDialog({ act, target, shown, isBusy, onAct, onClose }: ActDialogProps) {
  const isOne = 'one' in target
  return (
    <Dialog
      title={t(isOne ? `users.ask.${act}` : `users.askMany.${act}`)}
      closeLabel={t('button.close')}
      onClose={onClose}
    >
      <p className={style.question}>{textOf(act, target)}</p>
      {!isOne && target.many.length > 0 && target.leftOut > 0 && (
        <p className={style.question}>{t(`users.leftOut.${act}`, { count: target.leftOut })}</p>
      )}
      {!isOne && target.many.length > 0 && (
        <ChosenNames
          label={t('grid.chosen')}
          ones={target.many.map((one) => ({ key: one.user_id, name: one.user_name, email: one.user_email }))}
          shown={shown}
        />
      )}
      {isOne && act !== 'enable' && <HeldLine userId={target.one.user_id} name={target.one.user_name} />}
      <div className={style.buttons}>
        <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
        <Button {...(act === 'enable' ? {} : { color: 'red' })} loading={isBusy} data-autofocus onClick={onAct}>
          {t(`users.${act}`)}
        </Button>
      </div>
    </Dialog>
  )
}

function textOf(act: UserAct, target: ActDialogProps['target']): string {
  if ('one' in target)
    return t(`users.text.${act}`, { name: nameWithEmail(target.one.user_name, target.one.user_email) })
  const count = target.many.length
  return count === 0 ? t(`users.textNone.${act}`) : t(`users.textMany.${act}`, { count })
}
