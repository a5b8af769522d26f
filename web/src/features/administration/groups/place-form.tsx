import { groupUserList } from '@hilum/contract/calls/group'
import { roleList } from '@hilum/contract/calls/role'
import { type Designation, studyStates } from '@hilum/contract/inbox-config'
import { Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { focusFieldFault } from '../../../fields/object-fields.tsx'
import { Textarea, TextInput } from '../../../fields/text-input.tsx'
import { ObjectFieldPart } from '../object-field-part.tsx'
import { t } from '../../../labels/label.ts'
import {
  gatekeepersQuery,
  type PlaceDetail,
  type PlaceKinds,
  placeQuery,
  type PlaceValues,
  useSavePlace,
} from '../../../queries/account-groups.ts'
import { fieldsAsRead } from '../../../queries/field-parameters.ts'
import { rolesQuery } from '../../../queries/account-users.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { type ListedRole, roleOptionOf } from '../users/user-filter.tsx'
import { FormButtons } from '../form-buttons.tsx'
import { titleOfForm } from '../title-of-form.ts'
import { LongForm } from '../long-form.tsx'
import { StaleBanner } from '../stale-banner.tsx'
import { useObjectFields } from '../use-object-fields.ts'
import { type Seen, useSeen } from '../use-seen.ts'
import style from '../users/users.module.css'
import { GatekeeperSettings } from './gatekeeper-settings.tsx'
import { TakingPart } from './taking-part.tsx'
import { designationsOf, fitsPlace } from './place-kinds.ts'
import { faultsOfPlace, type PlaceFaults } from './place-reasons.ts'
import { copyOf, seenFields, placeValuesOf } from './place-values.ts'

interface PlaceFormProps {
  of: PlaceKinds
  /** The group or location to change or copy; without one a new one is made. */
  placeId: string | undefined
  isCopy: boolean
  onSaved: (name: string) => void
  onClose: () => void
}

/** Makes a group or location, or changes how it works: its kind, views, role, sharing and DICOM peers. */
export function PlaceForm({ of, placeId, isCopy, onSaved, onClose }: PlaceFormProps) {
  const { account } = useEstablished()
  const maySeeRoles = useMayCall(roleList)
  const place = useQuery({ ...placeQuery(of, placeId ?? ''), enabled: placeId !== undefined })
  const roles = useQuery({ ...rolesQuery(account.uuid), enabled: maySeeRoles })
  const gatekeepers = useQuery(gatekeepersQuery(account.uuid))
  const asked = [place, roles, gatekeepers]
  const isFailed = asked.some((one) => one.isLoadingError)
  const isLoading = asked.some((one) => one.isLoading)
  return (
    <Dialog
      title={titleOfForm(t(titleOf(of, isCopy, placeId !== undefined)), place.data?.name)}
      closeLabel={t('button.close')}
      onClose={onClose}
    >
      {isFailed && (
        <FailedBanner
          retry={t('button.retry')}
          onRetry={() => asked.filter((one) => one.isLoadingError).forEach((one) => void one.refetch())}
        >
          {t(`${of}.loadFailed`)}
        </FailedBanner>
      )}
      {isLoading && <LoadingState label={t('loading')} />}
      {!isFailed && !isLoading && (
        <Fields
          of={of}
          place={place.data}
          isCopy={isCopy}
          roles={roles.data?.filter((one) => fitsPlace(of, one)) ?? []}
          gatekeepers={gatekeepers.data?.filter((one) => one.uuid !== placeId) ?? []}
          onSaved={onSaved}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

/** Lists of peers, a line each. */
const peerLists = [
  { field: 'senders', rows: 3 },
  { field: 'askers', rows: 2 },
  { field: 'modalities', rows: 2 },
  { field: 'orderSenders', rows: 2 },
] as const

interface Named {
  uuid: string
  name: string
}
interface FieldsProps extends Omit<PlaceFormProps, 'placeId'> {
  place: PlaceDetail | undefined
  roles: readonly ListedRole[]
  gatekeepers: readonly Named[]
}

function Fields({ of, place, isCopy, roles, gatekeepers, onSaved, onClose }: FieldsProps) {
  const { account } = useEstablished()
  const save = useSavePlace(of, account.uuid)
  const [before] = useState(() => (isCopy ? copyOf(placeValuesOf(place)) : placeValuesOf(place)))
  const [values, setValues] = useState(before)
  const [faults, setFaults] = useState<PlaceFaults>({})
  const isNew = isCopy || !place
  const isClosed = !isNew && place.is_closed_to_senders === 1
  const custom = useObjectFields(of === 'groups' ? 'Group' : 'Location', place)
  const [isTried, setTried] = useState(false)
  const put = (part: Partial<PlaceValues>) => {
    setValues({ ...values, ...part })
    setFaults({})
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!focusFieldFault(event.currentTarget, custom.fields, values.fields, isNew)) guarded.save()
  }
  const send = (seen: Seen) =>
    save.mutate(
      { ...values, seen: seen && place && { ...seen, ...fieldsAsRead(place) }, before },
      {
        onSuccess: () => onSaved(values.name.trim()),
        onError: (failure) => setFaults(faultsOfPlace(of, failure)),
      },
    )
  const guarded = useSeen(isCopy ? undefined : place, seenFields, send)
  const text = (field: 'name' | 'shareCode' | 'shareDescription' | 'aeTitle') => ({
    value: values[field],
    error: faults[field],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => put({ [field]: event.currentTarget.value }),
  })
  const tick = (field: 'approves' | 'approvesUploads' | 'approvesHarvests' | 'takesNoShares') => ({
    checked: values[field],
    size: 'xs' as const,
    onChange: (event: { currentTarget: { checked: boolean } }) => put({ [field]: event.currentTarget.checked }),
  })
  const isGatekeeper = values.designation === 'GATEKEEPER'
  const states: readonly string[] = studyStates[values.designation]
  return (
    <LongForm
      className={style.form}
      aria-label={t(titleOf(of, isCopy, place !== undefined))}
      noValidate
      onSubmit={handleSubmit}
    >
      {faults.form && <Banner tone="failed">{faults.form}</Banner>}
      <TextInput {...text('name')} label={t(`${of}.name`)} maxLength={100} data-autofocus />
      <NativeSelect
        label={t('groups.type')}
        description={t(`groups.designationText.${values.designation}`)}
        value={values.designation}
        error={faults.designation}
        data={designationsOf(of).map((one) => ({ value: one, label: t(`groups.designation.${one}`) }))}
        onChange={(event) => put({ designation: event.currentTarget.value as Designation, states: [] })} // one of the options above
      />
      <Checkbox.Group
        label={t('groups.states')}
        description={t(`${of}.statesText`)}
        value={values.states.length > 0 ? values.states : [...states]}
        onChange={(chosen) =>
          put({ states: chosen.length === states.length ? [] : states.filter((one) => chosen.includes(one)) })
        }
      >
        <div className={style.groups}>
          {states.map((one) => (
            <Checkbox key={one} size="xs" value={one} label={one} />
          ))}
        </div>
      </Checkbox.Group>
      <NativeSelect
        label={t('groups.defaultRole')}
        description={t(`${of}.defaultRoleText`)}
        value={values.roleId}
        error={faults.role}
        data={[{ value: '', label: t('groups.accountRole') }, ...roles.map(roleOptionOf)]}
        onChange={(event) => put({ roleId: event.currentTarget.value })}
      />
      <fieldset className={style.part}>
        <legend>{t('groups.approvalPart')}</legend>
        <Checkbox
          {...tick('approves')}
          checked={isGatekeeper || values.approves}
          disabled={isGatekeeper}
          label={t(`${of}.approves`)}
        />
        <Checkbox {...tick('approvesUploads')} label={t('groups.approvesUploads')} />
        <Checkbox {...tick('approvesHarvests')} label={t('groups.approvesHarvests')} />
      </fieldset>
      <fieldset className={style.part}>
        <legend>{t('groups.sharePart')}</legend>
        <Checkbox {...tick('takesNoShares')} label={t('groups.takesNoShares')} />
        <TextInput
          {...text('shareCode')}
          label={t('groups.shareCode')}
          description={t(`${of}.shareCodeText`)}
          maxLength={100}
        />
        <TextInput {...text('shareDescription')} label={t('groups.shareDescription')} maxLength={500} />
      </fieldset>
      <TakingPart
        of={of}
        taking={values.taking}
        hasCode={values.shareCode.trim() !== ''}
        onChange={(taking) => put({ taking })}
      />
      <fieldset className={style.part}>
        <legend>{t('groups.dicomPart')}</legend>
        <TextInput
          {...text('aeTitle')}
          label={t('groups.aeTitle')}
          description={t(`${of}.aeTitleText`)}
          maxLength={16}
          spellCheck={false}
        />
        {peerLists.map(({ field, rows }) => (
          <Textarea
            key={field}
            label={t(`groups.${field}`)}
            description={t(isClosed && field === 'senders' ? 'groups.sendersClosed' : `${of}.${field}Text`)}
            value={values[field].join('\n')}
            error={faults[field]}
            rows={rows}
            spellCheck={false}
            onChange={(event) => put({ [field]: event.currentTarget.value.split('\n') })}
          />
        ))}
      </fieldset>
      {values.designation === 'CLOUD' && <PromotePart values={values} gatekeepers={gatekeepers} onChange={put} />}
      {isGatekeeper && <GatekeeperSettings values={values} priorityFault={faults.priorities} onChange={put} />}
      <ObjectFieldPart
        className={style.part}
        {...custom}
        values={values.fields}
        isTried={isTried}
        isNew={isNew}
        onChange={(uuid, value) => put({ fields: { ...values.fields, [uuid]: value } })}
      />
      <StaleBanner failure={save.error} isSaving={save.isPending} onSaveMine={guarded.saveMine} />
      <FormButtons isSaving={save.isPending} onCancel={onClose} />
    </LongForm>
  )
}

interface PromotePartProps {
  values: PlaceValues
  gatekeepers: readonly Named[]
  onChange: (part: Partial<PlaceValues>) => void
}

/** Of a cloud group or location the gatekeeper groups that it nominates to. */
function PromotePart({ values, gatekeepers, onChange }: PromotePartProps) {
  const maySeeAll = useMayCall(groupUserList)
  return (
    <Checkbox.Group
      label={t('groups.promotesTo')}
      description={maySeeAll ? undefined : t('groups.gatekeepersHidden')}
      value={values.promotesTo}
      onChange={(promotesTo) => onChange({ promotesTo })}
    >
      <div className={style.groups}>
        {gatekeepers.length === 0 && maySeeAll && t('groups.noGatekeepers')}
        {gatekeepers.map(({ uuid, name }) => (
          <Checkbox key={uuid} size="xs" value={uuid} label={name} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

/** Label of the form's title. */
function titleOf(of: PlaceKinds, isCopy: boolean, isThere: boolean) {
  if (isCopy) return `${of}.copyTitle` as const
  return isThere ? (`${of}.editTitle` as const) : (`${of}.addTitle` as const)
}
