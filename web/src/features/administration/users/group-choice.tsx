import { Checkbox, NativeSelect } from '@mantine/core'
import { t } from '../../../labels/label.ts'
import type { UserValues } from '../../../queries/account-users.ts'
import { type ListedRole, roleOptionOf } from './user-filter.tsx'
import style from './users.module.css'

interface Named {
  uuid: string
  name: string
}
interface GroupChoiceProps {
  groups: readonly Named[]
  /** Roles that can be given in a group. */
  roles: readonly ListedRole[]
  chosen: NonNullable<UserValues['groups']>
  fault: string | undefined
  onChange: (part: Pick<UserValues, 'groups'>) => void
}

/** The groups of a user, each with a role there or the default of the group. */
export function GroupChoiceField({ groups, roles, chosen, fault, onChange }: GroupChoiceProps) {
  const held = new Map(chosen.map((one) => [one.uuid, one]))
  const giveRole = (uuid: string, roleId: string) =>
    onChange({ groups: chosen.map((one) => (one.uuid === uuid ? { uuid, role_id: roleId } : one)) })
  return (
    <Checkbox.Group
      label={t('users.groups')}
      description={groups.length > 0 && chosen.length === 0 ? t('users.noneChosen') : undefined}
      error={fault}
      value={[...held.keys()]}
      onChange={(uuids) => onChange({ groups: uuids.map((uuid) => held.get(uuid) ?? { uuid, role_id: '' }) })}
    >
      <div className={style.groups}>
        {groups.length === 0 && t('users.noGroups')}
        {groups.map(({ uuid, name }) => (
          <div key={uuid} className={style.groupChoice}>
            <Checkbox size="xs" value={uuid} label={name} />
            {held.has(uuid) && roles.length > 0 && (
              <NativeSelect
                size="xs"
                aria-label={t('users.roleInGroup', { name })}
                value={held.get(uuid)?.role_id ?? ''}
                data={[{ value: '', label: t('users.groupDefault') }, ...roles.map(roleOptionOf)]}
                onChange={(event) => giveRole(uuid, event.currentTarget.value)}
              />
            )}
          </div>
        ))}
      </div>
    </Checkbox.Group>
  )
}
