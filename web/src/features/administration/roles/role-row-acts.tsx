import { t } from '../../../labels/label.ts'
import type { Role } from '../../../queries/account-roles.ts'
import { IconCopy, IconEdit, IconTrash, IconUsers } from '../../../ui/icons.ts'
import { RowAct } from '../grid/row-act.tsx'

/** The window that stands open over the list of roles. */
export type OpenedRoleAct =
  | { kind: 'form'; roleId?: string; isCopy?: boolean }
  | { kind: 'people' | 'delete'; role: Role }

/** The buttons of a role. The two that the system made cannot be deleted. */
export function roleRowActs(mayEdit: boolean, onOpen: (opened: OpenedRoleAct) => void) {
  return (role: Role, tabIndex: 0 | -1) => {
    const { uuid: roleId, name } = role
    return (
      <>
        <RowAct
          tabIndex={tabIndex}
          label={t('roles.whoOne', { name })}
          icon={IconUsers}
          onAct={() => onOpen({ kind: 'people', role })}
        />
        {mayEdit && (
          <>
            <RowAct
              tabIndex={tabIndex}
              label={t('roles.copyOne', { name })}
              icon={IconCopy}
              onAct={() => onOpen({ kind: 'form', roleId, isCopy: true })}
            />
            <RowAct
              tabIndex={tabIndex}
              label={t('users.editOne', { name })}
              icon={IconEdit}
              onAct={() => onOpen({ kind: 'form', roleId })}
            />
            <RowAct
              tabIndex={tabIndex}
              label={t('users.deleteOne', { name })}
              icon={IconTrash}
              isOff={role.type !== ''}
              onAct={() => onOpen({ kind: 'delete', role })}
            />
          </>
        )}
      </>
    )
  }
}
