import { roleList } from '@hilum/contract/calls/role'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { failureCode } from '../../../api/api-failure.ts'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { rolesQuery } from '../../../queries/account-users.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { roleOptionOf } from '../users/user-filter.tsx'
import style from './organisation.module.css'

interface EntryPartProps {
  /** Host names, with commas between them. */
  vanity: string
  roleId: string
  failure: Error | null
  onChange: (part: { vanity?: string; roleId?: string }) => void
}

/** By which host names people come to the organisation, and as what. */
export function EntryPart({ vanity, roleId, failure, onChange }: EntryPartProps) {
  const { account } = useEstablished()
  const maySeeRoles = useMayCall(roleList)
  const { data = [] } = useQuery({ ...rolesQuery(account.uuid), enabled: maySeeRoles })
  const roles = data.filter((one) => one.for_account === 1)
  const fault = entryFault(failure)
  return (
    <fieldset className={style.part}>
      <legend>{t('organisation.entry')}</legend>
      <TextInput
        label={t('organisation.vanity')}
        description={t('organisation.vanityHelp')}
        value={vanity}
        error={fault?.field === 'vanity' && fault.text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ vanity: event.currentTarget.value })}
      />
      {maySeeRoles && (
        <NativeSelect
          label={t('organisation.defaultRole')}
          description={t('organisation.defaultRoleHelp')}
          value={roleId}
          error={fault?.field === 'role' && fault.text}
          data={[
            ...(roles.some((one) => one.uuid === roleId) ? [] : [{ value: roleId, label: t('organisation.noRole') }]),
            ...roles.map(roleOptionOf),
          ]}
          onChange={(event) => onChange({ roleId: event.currentTarget.value })}
        />
      )}
    </fieldset>
  )
}

/** A refusal that is about one of these fields, in words. */
export function entryFault(failure: Error | null): { field: 'vanity' | 'role'; text: string } | undefined {
  switch (failureCode(failure)) {
    case 'INVALID_VANITY':
      return { field: 'vanity', text: t('organisation.vanityWrong') }
    case 'DUPLICATE_VANITY':
      return { field: 'vanity', text: t('organisation.vanityTaken') }
    case 'CAN_NOT_PROMOTE':
      return { field: 'role', text: t('organisation.roleTooHigh') }
    case 'ROLE_NOT_FOUND':
    case 'ROLE_NAMESPACE_MISMATCH':
      return { field: 'role', text: t('organisation.roleGone') }
    default:
      return undefined
  }
}
