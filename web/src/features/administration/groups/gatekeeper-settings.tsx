import { destinationList } from '@hilum/contract/calls/destination'
import { riskLines } from '@hilum/contract/inbox-config'
import { Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Textarea } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import type { PlaceValues } from '../../../queries/account-groups.ts'
import { destinationsQuery, isOpenTo } from '../../../queries/destinations.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import style from '../users/users.module.css'
import { NominationFields } from './nomination-fields.tsx'

interface GatekeeperSettingsProps {
  values: PlaceValues
  /** Why the server refused the priorities. */
  priorityFault: string | undefined
  onChange: (part: Partial<PlaceValues>) => void
}

/** How a gatekeeper group works: its mode, the form of nominations, the destinations, and when two people confirm. */
export function GatekeeperSettings({ values, priorityFault, onChange }: GatekeeperSettingsProps) {
  return (
    <>
      <fieldset className={style.part}>
        <legend>{t('groups.processPart')}</legend>
        <NativeSelect
          label={t('groups.preference')}
          description={t('groups.preferenceText')}
          value={values.preference}
          data={(['NONE', 'MWL', 'CFIND'] as const).map((one) => ({
            value: one,
            label: t(`groups.preferences.${one}`),
          }))}
          onChange={(event) => onChange({ preference: event.currentTarget.value as PlaceValues['preference'] })} // one of the options above
        />
        <NativeSelect
          label={t('groups.riskLine')}
          description={t(`groups.riskLineText.${values.riskLine}`)}
          value={values.riskLine}
          data={riskLines.map((one) => ({ value: one, label: t(`groups.riskLines.${one}`) }))}
          onChange={(event) => onChange({ riskLine: event.currentTarget.value as PlaceValues['riskLine'] })} // one of the options above
        />
        <Textarea
          label={t('groups.priorities')}
          description={t('groups.prioritiesText')}
          rows={4}
          value={values.priorities.join('\n')}
          error={priorityFault}
          onChange={(event) => onChange({ priorities: event.currentTarget.value.split('\n') })}
        />
        <PushableDestinations values={values} onChange={onChange} />
      </fieldset>
      <NominationFields values={values} onChange={onChange} />
    </>
  )
}

/** The destinations that the group may send to; those of its configuration that are gone can only be taken out. */
function PushableDestinations({ values, onChange }: Omit<GatekeeperSettingsProps, 'priorityFault'>) {
  const { account } = useEstablished()
  const maySee = useMayCall(destinationList)
  const { data, isLoadingError } = useQuery({ ...destinationsQuery(account.uuid), enabled: maySee })
  if (!maySee) return <p className={style.hint}>{t('groups.destinationsHidden')}</p>
  if (isLoadingError) return <Banner tone="failed">{t('groups.destinationsFailed')}</Banner>
  if (!data) return <p className={style.hint}>{t('loading')}</p>
  const offered = data.filter((one) => one.can_push === 1 && isOpenTo(one, values.placeId))
  const gone = values.pushable.filter((uuid) => !offered.some((one) => one.uuid === uuid))
  return (
    <>
      {gone.length > 0 && <Banner tone="priority">{t('groups.destinationsGone', { count: gone.length })}</Banner>}
      <Checkbox.Group
        label={t('groups.pushable')}
        description={t('groups.pushableText')}
        value={values.pushable}
        onChange={(pushable) => onChange({ pushable })}
      >
        <div className={style.groups}>
          {offered.length === 0 && gone.length === 0 && t('groups.noDestinations')}
          {offered.map(({ uuid, name }) => (
            <Checkbox key={uuid} size="xs" value={uuid} label={name} />
          ))}
          {gone.map((uuid) => (
            <Checkbox key={uuid} size="xs" value={uuid} label={t('groups.destinationGone', { id: uuid.slice(0, 8) })} />
          ))}
        </div>
      </Checkbox.Group>
    </>
  )
}
