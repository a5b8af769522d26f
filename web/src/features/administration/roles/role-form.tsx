import { roleAdd } from '@hilum/contract/calls/role'
import { isRestriction, type Permission, studyFieldFlags } from '@hilum/contract/permissions'
import { fieldAccesses, isWithinFields, readFieldFlags } from '@hilum/contract/study-field-access'
import { Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Textarea, TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { type RoleDetail, roleQuery, type RoleValues, useSaveRole } from '../../../queries/account-roles.ts'
import { type Session, useEstablished } from '../../../session/session-store.ts'
import { partOf, useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { FormButtons } from '../form-buttons.tsx'
import { StaleBanner } from '../stale-banner.tsx'
import { type Seen, useSeen } from '../use-seen.ts'
import style from '../users/users.module.css'
import {
  otherPermissions,
  permissionSubjects,
  type PermissionSubject,
  type DescribedPermission,
} from '@hilum/contract/permission-subjects'
import { titleOfForm } from '../title-of-form.ts'
import { faultsOfRole, type RoleFaults } from './role-reasons.ts'

interface RoleFormProps {
  /** The role to change or copy; without one a new one is made. */
  roleId: string | undefined
  isCopy: boolean
  onSaved: (name: string) => void
  onClose: () => void
}

/** Makes, copies or changes a role in words. */
export function RoleForm({ roleId, isCopy, onSaved, onClose }: RoleFormProps) {
  const role = useQuery({ ...roleQuery(roleId ?? ''), enabled: roleId !== undefined })
  const title = t(isCopy ? 'roles.copyTitle' : roleId ? 'roles.editTitle' : 'roles.addTitle')
  return (
    <Dialog title={titleOfForm(title, role.data?.name)} closeLabel={t('button.close')} onClose={onClose}>
      {role.isLoadingError && (
        <FailedBanner retry={t('button.retry')} onRetry={() => void role.refetch()}>
          {t('roles.loadFailed')}
        </FailedBanner>
      )}
      {role.isLoading && <LoadingState label={t('loading')} />}
      {!role.isLoadingError && !role.isLoading && (
        <Fields title={title} role={role.data} isCopy={isCopy} onSaved={onSaved} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface FieldsProps extends Omit<RoleFormProps, 'roleId'> {
  title: string
  role: RoleDetail | undefined
}

function Fields({ title, role, isCopy, onSaved, onClose }: FieldsProps) {
  const { account } = useEstablished()
  const save = useSaveRole(account.uuid)
  const own = useEstablished().permissions
  const mayCopySettings = useMayCall(partOf(roleAdd, 'settings'))
  const copied = isCopy && role && Object.keys(role.settings).length > 0 ? role.settings : undefined
  const [before] = useState(() => valuesOf(role, isCopy, own))
  const [values, setValues] = useState(before)
  const [faults, setFaults] = useState<RoleFaults>({})
  const put = (part: Partial<RoleValues>) => {
    setValues({ ...values, ...part })
    setFaults({})
  }
  const putPermission = (name: string, value: number | string) =>
    put({ permissions: { ...values.permissions, [name]: value } })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!values.forAccount && !values.forGroup && !values.forLocation) {
      setFaults({ places: t('roles.placeMissing') })
      return
    }
    guarded.save()
  }
  const send = (seen: Seen) =>
    save.mutate(
      {
        ...values,
        permissions: changedOf(values, isCopy ? undefined : role),
        seen,
        before,
        settings: mayCopySettings ? copied : undefined,
      },
      { onSuccess: () => onSaved(values.name.trim()), onError: (failure) => setFaults(faultsOfRole(failure)) },
    )
  const guarded = useSeen(isCopy ? undefined : role, seenFields, send)
  const place = (field: 'forAccount' | 'forGroup' | 'forLocation') => (
    <Checkbox
      size="xs"
      label={t(`roles.${field}`)}
      checked={values[field]}
      onChange={(event) => put({ [field]: event.currentTarget.checked })}
    />
  )
  return (
    <form className={style.form} aria-label={title} onSubmit={handleSubmit}>
      {faults.form && <Banner tone="failed">{faults.form}</Banner>}
      {copied && !mayCopySettings && <Banner tone="neutral">{t('roles.settingsStay')}</Banner>}
      <TextInput
        label={t('roles.name')}
        value={values.name}
        error={faults.name}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        onChange={(event) => put({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t('roles.description')}
        value={values.description}
        error={faults.description}
        maxLength={500}
        rows={2}
        onChange={(event) => put({ description: event.currentTarget.value })}
      />
      <fieldset className={style.part}>
        <legend>{t('roles.for')}</legend>
        {place('forAccount')}
        {place('forGroup')}
        {place('forLocation')}
        {faults.places && <p role="alert">{faults.places}</p>}
      </fieldset>
      <Permissions held={values.permissions} onPut={putPermission} />
      <StaleBanner failure={save.error} isSaving={save.isPending} onSaveMine={guarded.saveMine} />
      <FormButtons isSaving={save.isPending} onCancel={onClose} />
    </form>
  )
}

interface PermissionsProps {
  held: RoleValues['permissions']
  onPut: (name: string, value: number | string) => void
}

/** Every permission with its sentence, by subject; what a person does not hold cannot be given. */
function Permissions({ held, onPut }: PermissionsProps) {
  const own = useEstablished().permissions
  const [typed, setTyped] = useState('')
  const word = typed.trim().toLowerCase()
  const fits = (name: string, sentence: string) => `${name} ${sentence}`.toLowerCase().includes(word)
  const box = (name: Permission, sentence: string) => {
    const [isHeld, isTicked] = [own[name] === 1, held[name] === 1]
    // a restriction that somebody is under stays in each role that they make; any other one they may give
    const isFixed = isRestriction(name) ? isHeld && isTicked : !isHeld && !isTicked
    const hint = isRestriction(name) ? isHeld && 'roles.ownRestriction' : !isHeld && 'roles.notHeld'
    return (
      <Checkbox
        key={name}
        size="xs"
        label={sentence}
        description={hint ? t(hint) : undefined}
        disabled={isFixed}
        checked={isTicked}
        onChange={(event) => onPut(name, event.currentTarget.checked ? 1 : 0)}
      />
    )
  }
  const subjects = (Object.keys(permissionSubjects) as PermissionSubject[]).map((subject) => {
    const listed: readonly DescribedPermission[] = permissionSubjects[subject]
    return { subject, shown: listed.filter((name) => fits(name, t(`roles.can.${name}`))) }
  })
  const others = otherPermissions.filter((name) => fits(name, ''))
  const isNone = others.length === 0 && subjects.every(({ shown }) => shown.length === 0)
  return (
    <>
      <TextInput
        label={t('roles.findPermission')}
        value={typed}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {isNone && <p role="status">{t('roles.noPermission')}</p>}
      {subjects.map(
        ({ subject, shown }) =>
          shown.length > 0 && (
            <fieldset key={subject} className={style.part}>
              <legend>{t(`roles.subject.${subject}`)}</legend>
              {shown.map((name) => box(name, t(`roles.can.${name}`)))}
            </fieldset>
          ),
      )}
      {word === '' && (
        <fieldset className={style.part}>
          <legend>{t('roles.fields')}</legend>
          <p className={style.hint}>{t('roles.fieldsText')}</p>
          <div className={style.pair}>
            {studyFieldFlags.map((flag) => (
              <NativeSelect
                key={flag}
                size="xs"
                label={t(`roles.fieldName.${flag}`)}
                value={String(held[flag] ?? 'F')}
                data={fieldAccesses.map((access) => ({
                  value: access,
                  label: t(`roles.field.${access}`),
                  disabled: opensFurther(own, flag, access),
                }))}
                onChange={(event) => onPut(flag, event.currentTarget.value)}
              />
            ))}
          </div>
        </fieldset>
      )}
      {others.length > 0 && (
        <details open={word !== ''}>
          <summary>{t('roles.others')}</summary>
          <fieldset className={style.part} aria-label={t('roles.others')}>
            <p className={style.hint}>{t('roles.othersText')}</p>
            {others.map((name) => box(name, name))}
          </fieldset>
        </details>
      )}
    </>
  )
}

const seenFields = ['name', 'description', 'for_account', 'for_group', 'for_location', 'permissions'] as const

function valuesOf(role: RoleDetail | undefined, isCopy: boolean, own: Session['permissions']): RoleValues {
  const name = role?.name ?? ''
  return {
    roleId: isCopy ? undefined : role?.uuid,
    name: isCopy ? t('roles.copyName', { name }) : name,
    description: role?.description ?? '',
    forAccount: role ? role.for_account === 1 : true,
    forGroup: role ? role.for_group === 1 : true,
    forLocation: role ? role.for_location === 1 : true,
    permissions: role && !isCopy ? role.permissions : { ...role?.permissions, ...limitsOf(own, role?.permissions) },
    seen: undefined,
  }
}

/** Limits that somebody is under, which each role that they make has, too: restrictions, and fields of a study. */
function limitsOf(own: Session['permissions'], given: Session['permissions'] = {}): RoleValues['permissions'] {
  const restrictions = Object.entries(own).filter(([name, flag]) => isRestriction(name) && flag === 1)
  const fields = Object.entries(readFieldFlags(own).flags).filter(([flag]) => opensFurther(own, flag, given[flag]))
  return Object.fromEntries([...restrictions, ...fields])
}

/** Whether an access to a field of a study opens it further than somebody's own. */
function opensFurther(own: Session['permissions'], flag: string, access: unknown): boolean {
  const { [flag]: held = 'F' } = readFieldFlags(own).flags
  return !isWithinFields({ [flag]: held }, readFieldFlags({ [flag]: access ?? 'F' }).flags)
}

/** Of a role that is there the permissions that differ; of a new one all that say something. */
function changedOf({ permissions }: RoleValues, before: RoleDetail | undefined): RoleValues['permissions'] {
  const entries = Object.entries(permissions)
  return Object.fromEntries(
    entries.filter(([name, value]) =>
      before ? before.permissions[name] !== value : value !== 0 && value !== 'F' && value !== '',
    ),
  )
}
