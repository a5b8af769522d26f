import { studyNominateForm } from '@hilum/contract/calls/study-nominate'
import { studyPush } from '@hilum/contract/calls/study-push'
import type { Study } from '@hilum/contract/entities/study'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useAgo } from '../../format/use-ago.ts'
import { t } from '../../labels/label.ts'
import { destinationsQuery, pushableFrom, usePush } from '../../queries/destinations.ts'
import { namespacesQuery } from '../../queries/namespaces.ts'
import { useEstablished } from '../../session/session-store.ts'
import { mayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import panel from './exam-panel.module.css'
import { NominatePart } from './nominate-part.tsx'
import part from './nominate.module.css'
import { commitmentText } from './commitment-text.ts'
import { PushReason } from './push-reason.tsx'
import { pushFailureText } from './push-failure-text.ts'

const states = { N: 'pacs.queued', I: 'pacs.queued', P: 'pacs.queued', S: 'pacs.completed', F: 'pacs.undone' } as const

type Push = Study['study_push_status'][number]

function toneOf({ status, is_overtaken: isOvertaken }: Push) {
  if (status === 'S') return 'completed'
  return status === 'F' && isOvertaken === 0 ? 'failed' : 'neutral'
}

/** Nominates a study to a gatekeeper group, and sends it to a destination: what the person may of both. */
export function PacsTab({ study }: { study: Study }) {
  const mayPush = mayCall(studyPush, study.permissions)
  return (
    <div className={panel.content}>
      {mayCall(studyNominateForm, study.permissions) && (
        <NominatePart key={study.uuid} study={study} isAlone={!mayPush} />
      )}
      {mayPush && <PushPart study={study} />}
    </div>
  )
}

/** Sends a study to a destination, and tells how far it is with each. */
function PushPart({ study }: { study: Study }) {
  const { account } = useEstablished()
  const { data, error, refetch, isFetching } = useQuery(destinationsQuery(account.uuid))
  const { data: inboxes } = useQuery(namespacesQuery(account.uuid))
  const [chosen, setChosen] = useState('')
  const [asked, setAsked] = useState<Push>()
  const agoOf = useAgo()
  const push = usePush(study.uuid)
  const inbox = inboxes?.find(({ namespaceId }) => namespaceId === study.phi_namespace)
  const isRejected = study.nomination?.state === 'rejected'
  const places = isRejected ? [] : pushableFrom(data ?? [], inbox)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen) push.mutate({ destinationId: chosen })
  }
  return (
    <section aria-label={t('pacs.title')} className={part.part}>
      <h3 className={panel.heading}>{t('pacs.title')}</h3>
      <p className={panel.note}>{t('pacs.lead')}</p>
      {error && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('retrieve.listFailed')}
        </FailedBanner>
      )}
      {!data && !error && <LoadingState label={t('loading')} />}
      {isRejected && <Banner tone="neutral">{t('pacs.rejected')}</Banner>}
      {data && places.length === 0 && !isRejected && <Banner tone="neutral">{t('pacs.none')}</Banner>}
      {push.isError && <Banner tone="failed">{pushFailureText(push.error, study)}</Banner>}
      {places.length > 0 && (
        <form aria-label={t('pacs.send')} className={`${part.part} ${part.narrow}`} onSubmit={handleSubmit}>
          <NativeSelect
            label={t('pacs.destination')}
            value={chosen}
            data={[
              { value: '', label: t('pacs.choose') },
              ...places.map(({ uuid, name }) => ({ value: uuid, label: name })),
            ]}
            onChange={(event) => {
              setChosen(event.currentTarget.value)
              push.reset()
            }}
          />
          <div className={panel.actions}>
            <Button type="submit" disabled={!chosen} loading={push.isPending}>
              {t('pacs.send')}
            </Button>
            {!chosen && <p className={panel.note}>{t('pacs.chooseFirst')}</p>}
          </div>
        </form>
      )}
      {asked && <PushReason study={study} push={asked} onClose={() => setAsked(undefined)} />}
      {study.study_push_status.length > 0 && (
        <section aria-label={t('pacs.history')}>
          <h3 className={panel.heading}>{t('pacs.history')}</h3>
          {study.study_push_status.map((one) => (
            <Banner key={one.destination_uuid} tone={toneOf(one)}>
              {`${one.destination_name}: ${t(states[one.status])} · ${agoOf(one.updated)}`}
              {one.status_reason && <div>{one.status_reason}</div>}
              {one.commitment && <div>{commitmentText(one)}</div>}
              {one.status === 'F' && !isRejected && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('pacs.retry', { name: one.destination_name })}
                  loading={push.isPending && push.variables.destinationId === one.destination_uuid}
                  onClick={() =>
                    one.wants_reason === 1 ? setAsked(one) : push.mutate({ destinationId: one.destination_uuid })
                  }
                >
                  {t('button.retry')}
                </Button>
              )}
            </Banner>
          ))}
        </section>
      )}
    </section>
  )
}
