import { t } from '../../../labels/label.ts'
import type { AccountUser, UserAct } from '../../../queries/account-users.ts'
import { IconEdit, IconTrash, IconUserCheck, IconUserOff } from '../../../ui/icons.ts'
import { RowAct } from '../grid/row-act.tsx'

interface Handlers {
  ownId: string
  onEdit: (user: AccountUser) => void
  onAct: (act: UserAct, user: AccountUser) => void
}

/** The buttons of a row (ADMIN-USERS-04). Nobody disables or deletes themselves, nor somebody who may do more. */
export function userRowActs({ ownId, onEdit, onAct }: Handlers) {
  return (user: AccountUser, tabIndex: 0 | -1) => {
    const name = user.user_name
    const isDisabled = user.disabled === 1
    const act = { tabIndex, offReason: whyOff(user, ownId) }
    return (
      <>
        <RowAct
          {...act}
          label={t(isDisabled ? 'users.enableOne' : 'users.disableOne', { name })}
          icon={isDisabled ? IconUserCheck : IconUserOff}
          onAct={() => onAct(isDisabled ? 'enable' : 'disable', user)}
        />
        <RowAct tabIndex={tabIndex} label={t('users.editOne', { name })} icon={IconEdit} onAct={() => onEdit(user)} />
        <RowAct {...act} label={t('users.deleteOne', { name })} icon={IconTrash} onAct={() => onAct('delete', user)} />
      </>
    )
  }
}

function whyOff(user: AccountUser, ownId: string): string | undefined {
  if (user.user_id === ownId) return t('users.reason.SELF')
  return user.is_above === 1 ? t('users.reason.ROLE_ABOVE') : undefined
}
