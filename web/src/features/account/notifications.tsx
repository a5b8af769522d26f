import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import {
  choicePlaces,
  type ChoicePlaces,
  type EventChanges,
  type EventChoices,
  eventChoicesQuery,
  useSaveEventChoices,
} from '../../queries/event-choices.ts'
import { namespacesQuery } from '../../queries/namespaces.ts'
import { useEstablished } from '../../session/session-store.ts'
import { useIsSupportSession } from '../../session/use-may.ts'
import { UnsavedGuard } from '../../state/unsaved-guard.tsx'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { PassingBanner } from '../../ui/passing-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './account.module.css'

const kinds = ['user', 'harvest', 'gatekeeper', 'approve'] as const

/** ACCOUNT-13: what the person is mailed of. */
export function Notifications() {
  const { account, user } = useEstablished()
  const isSupport = useIsSupportSession()
  const inboxes = useQuery(namespacesQuery(account.uuid))
  const places = choicePlaces(user.namespace_id, inboxes.data ?? [])
  const loaded = useQuery({ ...eventChoicesQuery(places), enabled: inboxes.data !== undefined && !isSupport })
  if (isSupport) return <p>{t('offForSupport.notifications')}</p>
  if (inboxes.isLoadingError || loaded.isLoadingError) {
    const handleRetry = () => void (inboxes.isLoadingError ? inboxes.refetch() : loaded.refetch())
    return (
      <FailedBanner
        retry={t('button.retry')}
        isRetrying={inboxes.isFetching || loaded.isFetching}
        onRetry={handleRetry}
      >
        {t('notify.loadFailed')}
      </FailedBanner>
    )
  }
  if (!loaded.data) return <LoadingState label={t('loading')} />
  return <Choices places={places} loaded={loaded.data} />
}

function Choices({ places, loaded }: { places: ChoicePlaces; loaded: EventChoices }) {
  const [changes, setChanges] = useState<EventChanges>({})
  const save = useSaveEventChoices(places)
  const choices: EventChoices = { ...loaded, ...changes }
  const offered = kinds.filter((kind) => kind !== 'gatekeeper' || places.gatekeepers.length > 0)
  const chosen = offered.filter((kind) => choices[kind] === true)
  const changed: EventChanges = Object.fromEntries(
    Object.entries(changes).filter(([kind, isOn]) => loaded[kind as keyof EventChoices] !== isOn), // of kinds alone
  )
  const isDirty = Object.keys(changed).length > 0
  const put = (part: EventChanges) => {
    setChanges({ ...changes, ...part })
    if (!save.isPending) save.reset()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate(changed, { onSuccess: () => setChanges({}) })
  }
  const handleAll = () => put(Object.fromEntries(offered.map((kind) => [kind, chosen.length < offered.length])))
  return (
    <form className={style.page} aria-label={t('notify.title')} onSubmit={handleSubmit}>
      <UnsavedGuard isDirty={isDirty} />
      {save.isSuccess && (
        <PassingBanner key={save.submittedAt} onGone={save.reset}>
          {t('notify.saved')}
        </PassingBanner>
      )}
      {save.isError && <Banner tone="failed">{t(refusalLabel(save.error))}</Banner>}
      <p className={style.use}>{t('notify.lead')}</p>
      <Checkbox
        label={t('notify.all')}
        checked={chosen.length === offered.length}
        indeterminate={chosen.length < offered.length && offered.some((kind) => choices[kind])}
        onChange={handleAll}
      />
      <div className={style.indented}>
        {kinds.map((kind) => (
          <Checkbox
            key={kind}
            label={t(`notify.${kind}`)}
            description={t(offered.includes(kind) ? `notify.${kind}Help` : 'notify.noGatekeeper')}
            disabled={!offered.includes(kind)}
            checked={choices[kind] === true}
            indeterminate={choices[kind] === 'mixed'}
            onChange={(event) => put({ [kind]: event.currentTarget.checked })}
          />
        ))}
      </div>
      <div className={style.formActs}>
        <Button
          variant="default"
          size="sm"
          disabled={save.isPending}
          onClick={() => {
            setChanges({})
            save.reset()
          }}
        >
          {t('settings.clear')}
        </Button>
        <Button type="submit" size="sm" loading={save.isPending}>
          {t('button.save')}
        </Button>
      </div>
    </form>
  )
}

/** ERROR-08 */
function refusalLabel(failure: unknown) {
  switch (failureCode(failure)) {
    case 'NOT_MEMBER':
      return 'notify.notMember' as const
    case 'NOT_PERMITTED':
      return 'notify.notPermitted' as const
    case 'NOT_FOUND':
      return 'notify.notFound' as const
    default:
      return 'notify.failed' as const
  }
}
