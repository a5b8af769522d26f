import { t } from '../../../labels/label.ts'
import type { Place, PlaceKinds, PlaceMember } from '../../../queries/account-groups.ts'
import { IconCopy, IconEdit, IconTrash, IconUserOff, IconUsers } from '../../../ui/icons.ts'
import { RowAct } from '../grid/row-act.tsx'

interface Handlers {
  mayEdit: boolean
  onMembers: (place: Place) => void
  onEdit: (place: Place) => void
  onCopy: (place: Place) => void
  onDelete: (place: Place) => void
}

/** The buttons of a group or location. */
export function placeRowActs({ mayEdit, onMembers, onEdit, onCopy, onDelete }: Handlers) {
  return (place: Place, tabIndex: 0 | -1) => {
    const { name } = place
    return (
      <>
        <RowAct
          tabIndex={tabIndex}
          label={t('groups.members', { name })}
          icon={IconUsers}
          onAct={() => onMembers(place)}
        />
        {mayEdit && (
          <>
            <RowAct
              tabIndex={tabIndex}
              label={t('users.editOne', { name })}
              icon={IconEdit}
              onAct={() => onEdit(place)}
            />
            <RowAct
              tabIndex={tabIndex}
              label={t('groups.copyOne', { name })}
              icon={IconCopy}
              onAct={() => onCopy(place)}
            />
            <RowAct
              tabIndex={tabIndex}
              label={t('users.deleteOne', { name })}
              icon={IconTrash}
              onAct={() => onDelete(place)}
            />
          </>
        )}
      </>
    )
  }
}

/** The button of a person of a group or location. */
export function memberRowActs(of: PlaceKinds, onTakeOut: (member: PlaceMember) => void) {
  return (member: PlaceMember, tabIndex: 0 | -1) => (
    <RowAct
      tabIndex={tabIndex}
      label={t(`${of}.takeOutOne`, { name: member.user_name })}
      icon={IconUserOff}
      onAct={() => onTakeOut(member)}
    />
  )
}
