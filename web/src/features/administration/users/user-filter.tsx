import { Button, NativeSelect, TextInput } from '@mantine/core'
import { t } from '../../../labels/label.ts'
import { noUserFilters, type UserFilters } from '../../../queries/account-users.ts'
import style from './users.module.css'

interface UserFilterProps {
  filters: UserFilters
  roles: readonly { uuid: string; name: string }[]
  onChange: (filters: UserFilters) => void
}

/** The filter panel (ADMIN-USERS-05); each change is in force at once. */
export function UserFilter({ filters, roles, onChange }: UserFilterProps) {
  const text = (field: 'first' | 'last' | 'email') => ({
    label: t(`users.${field}`),
    value: filters[field],
    maxLength: 200,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...filters, [field]: event.currentTarget.value }),
  })
  return (
    <form
      id="user-filter"
      className={style.filter}
      aria-label={t('users.filterForm')}
      onSubmit={(event) => event.preventDefault()}
    >
      <TextInput {...text('first')} autoFocus />
      <TextInput {...text('last')} />
      <TextInput {...text('email')} />
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
      <Button variant="default" onClick={() => onChange(noUserFilters)}>
        {t('users.filterClear')}
      </Button>
    </form>
  )
}

export function optionOf({ uuid, name }: { uuid: string; name: string }) {
  return { value: uuid, label: name }
}
