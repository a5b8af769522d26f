import { NativeSelect } from '@mantine/core'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { noUserFilters, type UserFilters } from '../../../queries/account-users.ts'
import { filterTexts, GridFilter } from '../grid/grid-filter.tsx'

interface UserFilterProps {
  filters: UserFilters
  roles: readonly { uuid: string; name: string }[]
  onChange: (filters: UserFilters) => void
}

/** The filter panel (ADMIN-USERS-05); each change is in force at once. */
export function UserFilter({ filters, roles, onChange }: UserFilterProps) {
  const text = filterTexts(filters, onChange)
  return (
    <GridFilter id="user-filter" label={t('users.filterForm')} onClear={() => onChange(noUserFilters)}>
      <TextInput {...text('first', t('users.first'))} autoFocus />
      <TextInput {...text('last', t('users.last'))} />
      <TextInput {...text('email', t('users.email'))} />
      {roles.length > 0 && (
        <NativeSelect
          label={t('users.filterRole')}
          value={filters.roleId}
          data={[{ value: '', label: t('users.allRoles') }, ...roles.map(optionOf)]}
          onChange={(event) => onChange({ ...filters, roleId: event.currentTarget.value })}
        />
      )}
      <NativeSelect
        label={t('users.state')}
        value={filters.state}
        data={[
          { value: '', label: t('users.allStates') },
          { value: 'active', label: t('users.active') },
          { value: 'disabled', label: t('users.disabled') },
        ]}
        onChange={(event) => onChange({ ...filters, state: event.currentTarget.value as UserFilters['state'] })} // one of the options above
      />
    </GridFilter>
  )
}

export function optionOf({ uuid, name }: { uuid: string; name: string }) {
  return { value: uuid, label: name }
}

/** A role that may be chosen for somebody. */
export interface ListedRole {
  uuid: string
  name: string
  /** 1 where the role gives more than the person who chooses holds. */
  is_above: number
}

/** A role to give; one that gives more than the person holds is refused by the server, and says so. */
export function roleOptionOf({ uuid, name, is_above: isAbove }: ListedRole) {
  return isAbove === 1
    ? { value: uuid, label: t('users.roleAbove', { name }), disabled: true }
    : { value: uuid, label: name }
}
