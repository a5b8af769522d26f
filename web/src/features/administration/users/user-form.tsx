import { accountUserSet } from '@hilum/contract/calls/account-user'
import { roleList } from '@hilum/contract/calls/role'
import type { CustomField } from '@hilum/contract/entities/page-fields'
import { readOneAddress } from '@hilum/contract/mail-address'
import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { focusFieldFault } from '../../../fields/object-fields.tsx'
import { TextInput } from '../../../fields/text-input.tsx'
import { ObjectFieldPart } from '../object-field-part.tsx'
import { t } from '../../../labels/label.ts'
import {
  accountGroupsQuery,
  accountUserQuery,
  rolesQuery,
  type UserValues,
  useSaveUser,
} from '../../../queries/account-users.ts'
import { fieldsAsRead, fieldValues } from '../../../queries/field-parameters.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { partOf, useMayCall } from '../../../session/use-may.ts'
import { useProof } from '../../../session/use-proof.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { StaleBanner } from '../stale-banner.tsx'
import { useObjectFields } from '../use-object-fields.ts'
import { type Seen, useSeen } from '../use-seen.ts'
import { titleOfForm } from '../title-of-form.ts'
import { GroupChoiceField } from './group-choice.tsx'
import { type ListedRole, roleOptionOf } from './user-filter.tsx'
import { type Faults, findFaults, faultsOfFailure } from './user-form-faults.ts'
import { InviteAgain } from './invite-again.tsx'
import { ResetTwoFactor } from './reset-two-factor.tsx'
import style from './users.module.css'

interface UserFormProps {
  /** The user to change; without one somebody is invited. */
  userId: string | undefined
  /** Told what was done, for a message. */
  onSaved: (text: string) => void
  onClose: () => void
}

function nameOf(user: { first: string; last: string; user_email: string } | undefined): string | undefined {
  return user && (`${user.first} ${user.last}`.trim() || user.user_email)
}

/** Invites somebody, or changes name, e-mail address, role and groups of a user. */
export function UserForm({ userId, onSaved, onClose }: UserFormProps) {
  const { account } = useEstablished()
  const maySeeRoles = useMayCall(roleList)
  const mayGroup = useMayCall(partOf(accountUserSet, 'groups'))
  const user = useQuery({ ...accountUserQuery(account.uuid, userId ?? ''), enabled: userId !== undefined })
  const roles = useQuery({ ...rolesQuery(account.uuid), enabled: maySeeRoles })
  const groups = useQuery({ ...accountGroupsQuery(account.uuid), enabled: mayGroup })
  const isFailed = [user, roles, groups].some((one) => one.isLoadingError)
  const isLoading = [user, roles, groups].some((one) => one.isLoading)
  const handleRetry = () =>
    [user, roles, groups].filter((one) => one.isLoadingError).forEach((one) => void one.refetch())
  return (
    <Dialog
      title={titleOfForm(t(userId ? 'users.editTitle' : 'users.inviteTitle'), nameOf(user.data))}
      closeLabel={t('button.close')}
      onClose={onClose}
    >
      {isFailed && (
        <FailedBanner retry={t('button.retry')} onRetry={handleRetry}>
          {t(user.isLoadingError ? 'users.loadFailed' : 'users.listsFailed')}
        </FailedBanner>
      )}
      {isLoading && <LoadingState label={t('loading')} />}
      {!isFailed && !isLoading && (
        <Fields
          user={user.data}
          roles={roles.data?.filter((one) => one.for_account === 1)}
          groupRoles={roles.data?.filter((one) => one.for_group === 1) ?? []}
          groups={groups.data}
          onSaved={onSaved}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

interface FieldsProps extends Omit<UserFormProps, 'userId'> {
  user: LoadedUser | undefined
  /** Undefined where they are not the person's to give. */
  roles: readonly ListedRole[] | undefined
  groups: readonly { uuid: string; name: string }[] | undefined
  /** Roles that can be given in a group. */
  groupRoles: readonly ListedRole[]
}
interface LoadedUser {
  user_id: string
  user_email: string
  first: string
  last: string
  role_id: string
  other_accounts: number
  last_login: string | null
  disabled: number
  is_above: number
  pin_required: number
  pin_demanded: number
  sso_only: number
  customfields: readonly CustomField[]
  groups: readonly { uuid: string; role_id: string }[]
}

interface Added {
  invited: number
  has_smtp: number
}

function Fields({ user, roles, groups, groupRoles, onSaved, onClose }: FieldsProps) {
  const session = useEstablished()
  const save = useSaveUser(session.account.uuid)
  const [before] = useState<UserValues>(() => valuesOf(user, session.account.default_role_id, groups))
  const [values, setValues] = useState(before)
  const [faults, setFaults] = useState<Faults>({})
  const [isTried, setTried] = useState(false)
  const custom = useObjectFields('User_account', user)
  const proof = useProof()
  const isOthersToo = user?.other_accounts === 1
  const isAbove = user?.is_above === 1
  const isOwn = user?.user_id === session.user.uuid
  const isDemandedOfAll = session.account.pin_required === 1
  const put = (part: Partial<UserValues>) => {
    setValues({ ...values, ...part })
    setFaults({})
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const found = findFaults(values)
    setFaults(found)
    setTried(true)
    if (Object.keys(found).length > 0) return
    if (focusFieldFault(event.currentTarget, custom.fields, values.fields, !user)) return
    guarded.save()
  }
  const send = (seen: Seen) => {
    const sent = {
      ...values,
      first: values.first.trim(),
      last: values.last.trim(),
      email: readOneAddress(values.email),
      seen: seen && user && { ...seen, ...fieldsAsRead(user) },
    }
    save.mutate(
      { ...sent, before },
      {
        onSuccess: (added) => onSaved(savedText(sent, added)),
        onError: (failure) => {
          setFaults(faultsOfFailure(failure))
          proof.ask(failure, () => send(seen))
        },
      },
    )
  }
  const guarded = useSeen(user, groups ? [...seenFields, 'groups'] : seenFields, send)
  const text = (field: 'first' | 'last' | 'email') => ({
    label: t(`users.${field}`),
    value: values[field],
    error: faults[field],
    disabled: isOthersToo || (field === 'email' && isOwn),
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => put({ [field]: event.currentTarget.value }),
  })
  return (
    <>
      {proof.dialog}
      <form
        className={style.form}
        aria-label={t(user ? 'users.editTitle' : 'users.inviteTitle')}
        noValidate
        onSubmit={handleSubmit}
      >
        {!user && <p className={style.hint}>{t('users.inviteText')}</p>}
        {isAbove && <Banner tone="neutral">{t('users.above')}</Banner>}
        {isOthersToo && !isAbove && <Banner tone="neutral">{t('users.otherAccounts')}</Banner>}
        {faults.form && <Banner tone="failed">{faults.form}</Banner>}
        <fieldset className={style.fields} disabled={isAbove}>
          <div className={style.pair}>
            <TextInput {...text('first')} maxLength={100} data-autofocus />
            <TextInput {...text('last')} maxLength={100} />
          </div>
          <TextInput
            {...text('email')}
            type="text"
            inputMode="email"
            spellCheck={false}
            description={isOwn && !isOthersToo ? t('users.ownEmail') : undefined}
          />
          {roles && (
            <NativeSelect
              label={t('users.formRole')}
              value={values.roleId}
              error={faults.role}
              data={roles.map(roleOptionOf)}
              onChange={(event) => put({ roleId: event.currentTarget.value })}
            />
          )}
          <Checkbox
            label={t('users.pinDemanded')}
            description={t(pinHelp(isDemandedOfAll, isOwn))}
            disabled={isDemandedOfAll || isOwn}
            checked={isDemandedOfAll || (values.isPinDemanded ?? user?.pin_demanded === 1)}
            onChange={(event) => put({ isPinDemanded: event.currentTarget.checked })}
          />
          {!isOwn && (
            <Checkbox
              label={t('users.providerOnly')}
              description={t(isOthersToo ? 'users.providerOnlyOthers' : 'users.providerOnlyHelp')}
              checked={values.isProviderOnly ?? user?.sso_only === 1}
              onChange={(event) => put({ isProviderOnly: event.currentTarget.checked })}
            />
          )}
          {user?.pin_required === 1 && !isOwn && (
            <ResetTwoFactor userId={user.user_id} name={`${user.first} ${user.last}`.trim()} onDone={onSaved} />
          )}
          {user?.last_login === null && user.disabled === 0 && <InviteAgain email={user.user_email} />}
          {groups && values.groups && (
            <GroupChoiceField
              groups={groups}
              roles={groupRoles}
              chosen={values.groups}
              fault={faults.groups}
              onChange={put}
            />
          )}
          <ObjectFieldPart
            className={style.part}
            {...custom}
            values={values.fields}
            isTried={isTried}
            isNew={!user}
            onChange={(uuid, value) => put({ fields: { ...values.fields, [uuid]: value } })}
          />
        </fieldset>
        <StaleBanner failure={save.error} isSaving={save.isPending} onSaveMine={guarded.saveMine} />
        <div className={style.buttons}>
          <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
          {!isAbove && (
            <Button type="submit" loading={save.isPending}>
              {t(user ? 'button.save' : 'users.send')}
            </Button>
          )}
        </div>
      </form>
    </>
  )
}

const seenFields = ['first', 'last', 'user_email', 'role_id', 'pin_demanded', 'sso_only'] as const

/** The values to begin with; somebody who is invited joins the only group that there is. */
function valuesOf(user: LoadedUser | undefined, defaultRole: string, groups: FieldsProps['groups']): UserValues {
  const only = groups?.length === 1 ? groups : []
  const held = user?.groups ?? only.map(({ uuid }) => ({ uuid, role_id: '' }))
  return {
    userId: user?.user_id,
    first: user?.first ?? '',
    last: user?.last ?? '',
    email: user?.user_email ?? '',
    roleId: user?.role_id ?? defaultRole,
    groups: groups && held.map(({ uuid, role_id }) => ({ uuid, role_id })),
    isPinDemanded: undefined,
    isProviderOnly: undefined,
    fields: fieldValues(user),
    seen: undefined,
  }
}

/** Label of what the requirement of a second factor means. */
function pinHelp(isDemandedOfAll: boolean, isOwn: boolean) {
  if (isDemandedOfAll) return 'users.pinDemandedOfAll'
  return isOwn ? 'users.pinDemandedOwn' : 'users.pinDemandedHelp'
}

function savedText({ first, last, email }: UserValues, added: Added | undefined): string {
  if (added?.invited === 1) return t(added.has_smtp === 1 ? 'users.invited' : 'users.invitedUnsent', { email })
  const name = `${first} ${last}`.trim()
  return t(added ? 'users.added' : 'users.saved', { name })
}
