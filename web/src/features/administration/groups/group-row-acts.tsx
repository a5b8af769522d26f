import { t } from '../../../labels/label.ts'
import type { Place, PlaceMember } from '../../../queries/account-groups.ts'
import { IconEdit, IconTrash, IconUserOff, IconUsers } from '../../../ui/icons.ts'
import { RowAct } from '../grid/row-act.tsx'

interface Handlers {
  mayEdit: boolean
  onMembers: (group: Place) => void
  onEdit: (group: Place) => void
  onDelete: (group: Place) => void
}

/** The buttons of a group. */
export function groupRowActs({ mayEdit, onMembers, onEdit, onDelete }: Handlers) {
  return (group: Place, tabIndex: 0 | -1) => {
    const { name } = group
    return (
      <>
        <RowAct
          tabIndex={tabIndex}
          label={t('groups.members', { name })}
          icon={IconUsers}
          onAct={() => onMembers(group)}
        />
        {mayEdit && (
          <>
            <RowAct
              tabIndex={tabIndex}
              label={t('users.editOne', { name })}
              icon={IconEdit}
              onAct={() => onEdit(group)}
            />
            <RowAct
              tabIndex={tabIndex}
              label={t('users.deleteOne', { name })}
              icon={IconTrash}
              onAct={() => onDelete(group)}
            />
          </>
        )}
      </>
    )
  }
}

/** The button of a person of a group. */
export function memberRowActs(onTakeOut: (member: PlaceMember) => void) {
  return (member: PlaceMember, tabIndex: 0 | -1) => (
    <RowAct
      tabIndex={tabIndex}
      label={t('groups.takeOutOne', { name: member.user_name })}
      icon={IconUserOff}
      onAct={() => onTakeOut(member)}
    />
  )
}
