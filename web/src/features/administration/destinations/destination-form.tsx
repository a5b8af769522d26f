import { retrieveMethods } from '@hilum/contract/calls/destination'
import { Checkbox, NativeSelect, NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { Textarea, TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { accountGroupsQuery, accountLocationsQuery, mostPlaces } from '../../../queries/account-users.ts'
import { type Destination, type DestinationValues, useDestinations } from '../../../queries/destinations.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormButtons } from '../form-buttons.tsx'
import { StaleBanner } from '../stale-banner.tsx'
import { useSeen } from '../use-seen.ts'
import style from '../users/users.module.css'
import { titleOfForm } from '../title-of-form.ts'

interface DestinationFormProps {
  /** Undefined to add one. */
  one: Destination | undefined
  onClose: () => void
}

const fields = ['name', 'aetitle', 'address', 'port', 'tls_certificate', 'max_associations'] as const

/** Adds or changes a destination. A refusal of the server stands by its field. */
export function DestinationForm({ one, onClose }: DestinationFormProps) {
  const { account } = useEstablished()
  const { save } = useDestinations(account.uuid)
  const [before] = useState<DestinationValues>(() => valuesOf(one))
  const { groups, gone } = useChoices(account.uuid, before.group_ids)
  const [values, setValues] = useState(before)
  const fault = faultOf(save.error)
  // without a group the destination is for all: a tick that limits it to nobody is taken off by oversight
  const isOpened = gone.length > 0 && before.group_ids.every((uuid) => gone.includes(uuid))
  const put = (part: Partial<DestinationValues>) => {
    setValues({ ...values, ...part })
    save.reset()
  }
  const guarded = useSeen(one, seenFields, (seen) =>
    save.mutate({ uuid: one?.uuid, values, before, seen }, { onSuccess: onClose }),
  )
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    guarded.save()
  }
  const text = (field: 'name' | 'aetitle' | 'address') => ({
    label: t(`destinations.${field}`),
    required: true,
    autoComplete: 'off',
    spellCheck: false,
    value: values[field],
    error: fault?.field === field && fault.text,
    onChange: (event: { currentTarget: { value: string } }) => put({ [field]: event.currentTarget.value }),
  })
  const flag = (
    field:
      | 'uses_tls'
      | 'can_search'
      | 'can_query_retrieve'
      | 'can_push'
      | 'can_search_mwl'
      | 'push_unchecked'
      | 'push_foreign'
      | 'can_commit',
  ) => ({
    checked: values[field] === 1,
    onChange: (event: { currentTarget: { checked: boolean } }) => put({ [field]: event.currentTarget.checked ? 1 : 0 }),
  })
  const title = t(one ? 'destinations.editTitle' : 'destinations.add')
  const isElsewhere = fault && !fields.some((field) => field === fault.field)
  return (
    <Dialog title={titleOfForm(title, one?.name)} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.form} aria-label={title} onSubmit={handleSubmit}>
        {isElsewhere && <Banner tone="failed">{fault.text}</Banner>}
        <TextInput {...text('name')} maxLength={200} data-autofocus />
        <div className={style.pair}>
          <TextInput {...text('aetitle')} maxLength={16} />
          <NumberInput
            size="xs"
            label={t('destinations.port')}
            required
            hideControls
            allowDecimal={false}
            value={values.port}
            error={fault?.field === 'port' && fault.text}
            onChange={(value) => put({ port: Number(value) })}
          />
        </div>
        <TextInput {...text('address')} />
        <div className={style.pair}>
          <Checkbox label={t('destinations.canSearch')} {...flag('can_search')} />
          <Checkbox label={t('destinations.canRetrieve')} {...flag('can_query_retrieve')} />
          <Checkbox label={t('destinations.canPush')} {...flag('can_push')} />
          <Checkbox label={t('destinations.canWorklist')} {...flag('can_search_mwl')} />
        </div>
        {values.can_query_retrieve === 1 && (
          <NativeSelect
            size="xs"
            label={t('destinations.retrieveMethod')}
            description={t('destinations.retrieveMethodText')}
            value={values.retrieve_method}
            data={retrieveMethods.map((value) => ({ value, label: t(`destinations.retrieveMethod.${value}`) }))}
            onChange={(event) => {
              const method = retrieveMethods.find((one) => one === event.currentTarget.value)
              if (method) put({ retrieve_method: method })
            }}
          />
        )}
        {values.can_push === 1 && (
          <Checkbox
            label={t('destinations.pushUnchecked')}
            description={t('destinations.pushUncheckedText')}
            {...flag('push_unchecked')}
          />
        )}
        {values.can_push === 1 && (
          <Checkbox
            label={t('destinations.pushForeign')}
            description={t('destinations.pushForeignText')}
            {...flag('push_foreign')}
          />
        )}
        {values.can_push === 1 && (
          <Checkbox
            label={t('destinations.canCommit')}
            description={t('destinations.canCommitText')}
            {...flag('can_commit')}
          />
        )}
        <Checkbox label={t('destinations.tls')} {...flag('uses_tls')} />
        {values.uses_tls === 1 && (
          <Textarea
            label={t('destinations.certificate')}
            rows={4}
            value={values.tls_certificate}
            error={fault?.field === 'tls_certificate' && fault.text}
            onChange={(event) => put({ tls_certificate: event.currentTarget.value })}
          />
        )}
        <NumberInput
          size="xs"
          label={t('destinations.associations')}
          min={1}
          max={16}
          allowDecimal={false}
          value={values.max_associations}
          error={fault?.field === 'max_associations' && fault.text}
          onChange={(value) => put({ max_associations: Number(value) })}
        />
        {(groups.length > 0 || gone.length > 0) && (
          <Checkbox.Group
            label={t('destinations.groups')}
            description={isOpened ? t('destinations.opensToAll') : undefined}
            value={values.group_ids}
            onChange={(uuids) => put({ group_ids: uuids })}
          >
            <div className={style.groups}>
              {groups.map(({ uuid, name }) => (
                <Checkbox key={uuid} size="xs" value={uuid} label={name} />
              ))}
              {gone.map((uuid) => (
                <Checkbox key={uuid} size="xs" value={uuid} label={t('destinations.goneGroup')} />
              ))}
            </div>
          </Checkbox.Group>
        )}
        <StaleBanner failure={save.error} isSaving={save.isPending} onSaveMine={guarded.saveMine} />
        <FormButtons isSaving={save.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

/** The groups to choose from, the locations among those that were chosen before, and the uuids of what is not there any more. */
function useChoices(accountUuid: string, chosen: readonly string[]) {
  const { data: groups } = useQuery(accountGroupsQuery(accountUuid))
  const others = groups ? chosen.filter((uuid) => !groups.some((one) => one.uuid === uuid)) : []
  const { data: locations } = useQuery({ ...accountLocationsQuery(accountUuid), enabled: others.length > 0 })
  const known = (locations ?? []).filter((one) => others.includes(one.uuid))
  const isWhole = groups && locations && Math.max(groups.length, locations.length) < mostPlaces
  const gone = isWhole ? others.filter((uuid) => !known.some((one) => one.uuid === uuid)) : []
  return { groups: [...(groups ?? []), ...known], gone }
}

/** Fields that saving the form would replace. */
const seenFields = [
  ...fields,
  'uses_tls',
  'can_search',
  'can_query_retrieve',
  'retrieve_method',
  'can_push',
  'push_unchecked',
  'push_foreign',
  'can_commit',
  'can_search_mwl',
  'group_ids',
] as const

function valuesOf(one: Destination | undefined): DestinationValues {
  return {
    name: one?.name ?? '',
    aetitle: one?.aetitle ?? '',
    address: one?.address ?? '',
    port: one?.port ?? 104,
    uses_tls: one?.uses_tls === 1 ? 1 : 0,
    tls_certificate: one?.tls_certificate ?? '',
    can_search: one && one.can_search === 0 ? 0 : 1,
    can_query_retrieve: one && one.can_query_retrieve === 0 ? 0 : 1,
    retrieve_method: one?.retrieve_method ?? 'auto',
    can_push: one && one.can_push === 0 ? 0 : 1,
    push_unchecked: one?.push_unchecked === 1 ? 1 : 0,
    push_foreign: one?.push_foreign === 1 ? 1 : 0,
    can_commit: one?.can_commit === 1 ? 1 : 0,
    can_search_mwl: one?.can_search_mwl === 1 ? 1 : 0,
    max_associations: one?.max_associations ?? 2,
    group_ids: one?.group_ids ?? [],
  }
}

function faultOf(error: Error | null): { field: string; text: string } | undefined {
  if (!error || failureCode(error) === 'STALE') return undefined
  if (!(error instanceof ApiFailure)) return { field: '', text: t('destinations.saveFailed') }
  if (error.code === 'DUP_AETITLE') return { field: '', text: t('destinations.duplicate') }
  const isValue = error.code === 'INVALID_VALUE' || error.code === 'INVALID_INTEGER' || error.code === 'MISSING_FIELDS'
  if (!isValue) return { field: '', text: t('destinations.saveFailed') }
  return { field: String([error.subtype].flat()[0] ?? ''), text: t('destinations.wrong') }
}
