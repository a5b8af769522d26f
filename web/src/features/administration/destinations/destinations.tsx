import { destinationSet } from '@hilum/contract/calls/destination'
import { nodeCalled } from '@hilum/contract/calls/node'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../../api/api-failure.ts'
import { formatStamp } from '../../../format/dates.ts'
import { useAgo } from '../../../format/use-ago.ts'
import { t } from '../../../labels/label.ts'
import { usesText } from '../../../labels/uses-text.ts'
import { type Destination, destinationsQuery, useDestinations } from '../../../queries/destinations.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { HeardOnly } from '../../../ui/heard-only.tsx'
import { IconChecklist, IconEdit, IconPhoto, IconPlus, IconTrash } from '../../../ui/icons.ts'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import table from '../../../ui/row-table.module.css'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { RowAct } from '../grid/row-act.tsx'
import style from '../users/users.module.css'
import { DestinationForm } from './destination-form.tsx'
import { OwnNodes } from './own-nodes.tsx'

/**
 * DICOM nodes of others, for those who may change them: where they are, what they are used for, and whether they answer;
 * and the nodes that this installation is for others.
 */
export function Destinations() {
  const mayChange = useMayCall(destinationSet)
  const maySeeOwn = useMayCall(nodeCalled)
  return (
    <>
      <TitledSection id="destinations" title={t('destinations.title')}>
        {mayChange ? <DestinationList /> : <Banner tone="failed">{t('destinations.notPermitted')}</Banner>}
      </TitledSection>
      {maySeeOwn && <OwnNodes />}
    </>
  )
}

function DestinationList() {
  const { account } = useEstablished()
  const { data, error, refetch, isFetching } = useQuery(destinationsQuery(account.uuid))
  const { remove, test } = useDestinations(account.uuid)
  const [edited, setEdited] = useState<{ one: Destination | undefined }>()
  const [asked, setAsked] = useState<Destination>()
  const [tried, setTried] = useState<Destination>()
  const handleSendImage = () => {
    if (tried) test.mutate({ uuid: tried.uuid, sendsImage: true })
    setTried(undefined)
  }
  const handleDelete = (one: Destination) => remove.mutate(one.uuid, { onSettled: () => setAsked(undefined) })
  return (
    <>
      <p className={style.lead}>{t('destinations.lead')}</p>
      <div className={style.bar}>
        <Button size="xs" data-adds leftSection={<IconPlus size={15} />} onClick={() => setEdited({ one: undefined })}>
          {t('destinations.add')}
        </Button>
      </div>
      {remove.isError && <Banner tone="failed">{undeletedText(remove.error, data, remove.variables)}</Banner>}
      {test.isError && <Banner tone="failed">{t('destinations.actFailed')}</Banner>}
      {error && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('destinations.failed')}
        </FailedBanner>
      )}
      {!data && !error && <LoadingState label={t('loading')} />}
      {data?.length === 0 && (
        <p className={style.lead} role="status">
          {t('destinations.empty')}
        </p>
      )}
      {data && data.length > 0 && (
        <table className={table.table} aria-labelledby="destinations">
          <thead>
            <tr>
              <th scope="col">{t('destinations.name')}</th>
              <th scope="col">{t('destinations.place')}</th>
              <th scope="col">{t('destinations.health')}</th>
              <th scope="col" data-acts>
                <HeardOnly>{t('users.acts')}</HeardOnly>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((one) => (
              <DestinationRow
                key={one.uuid}
                one={one}
                isTesting={test.isPending && test.variables.uuid === one.uuid}
                onTest={() => test.mutate({ uuid: one.uuid })}
                onSendImage={() => setTried(one)}
                onEdit={() => setEdited({ one })}
                onDelete={() => setAsked(one)}
              />
            ))}
          </tbody>
        </table>
      )}
      {edited && <DestinationForm one={edited.one} onClose={() => setEdited(undefined)} />}
      {tried && (
        <Dialog title={t('destinations.imageTitle')} closeLabel={t('button.close')} onClose={() => setTried(undefined)}>
          <p className={style.question}>{t('destinations.imageText', { name: tried.name })}</p>
          <div className={style.buttons}>
            <Button variant="default" onClick={() => setTried(undefined)}>
              {t('button.cancel')}
            </Button>
            <Button data-autofocus onClick={handleSendImage}>
              {t('destinations.sendImage')}
            </Button>
          </div>
        </Dialog>
      )}
      {asked && (
        <Dialog title={t('destinations.askTitle')} closeLabel={t('button.close')} onClose={() => setAsked(undefined)}>
          <p className={style.question}>{t('destinations.askText', { name: asked.name })}</p>
          <div className={style.buttons}>
            <Button variant="default" onClick={() => setAsked(undefined)}>
              {t('button.cancel')}
            </Button>
            <Button color="red" loading={remove.isPending} data-autofocus onClick={() => handleDelete(asked)}>
              {t('destinations.delete')}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** Why a destination was not deleted. */
function undeletedText(failure: unknown, all: readonly Destination[] | undefined, uuid: string): string {
  if (!(failure instanceof ApiFailure) || failure.code !== 'IN_USE') return t('destinations.actFailed')
  const name = all?.find((one) => one.uuid === uuid)?.name ?? ''
  return t('destinations.inUse', { name, uses: usesText(failure.data) })
}

interface DestinationRowProps {
  one: Destination
  isTesting: boolean
  onTest: () => void
  onSendImage: () => void
  onEdit: () => void
  onDelete: () => void
}

function DestinationRow({ one, isTesting, onTest, onSendImage, onEdit, onDelete }: DestinationRowProps) {
  const { name } = one
  const uses = [
    one.can_search === 1 && t('destinations.canSearch'),
    one.can_query_retrieve === 1 && t('destinations.canRetrieve'),
    one.can_push === 1 && t('destinations.canPush'),
    one.can_search_mwl === 1 && t('destinations.canWorklist'),
  ].filter(Boolean)
  return (
    <tr>
      <th scope="row">
        {name}
        <span className={table.aside}>{uses.join(', ')}</span>
      </th>
      <td>
        {`${one.aetitle} · ${one.address}:${one.port}`}
        <span className={table.aside}>{t('destinations.ownTitle', { title: one.node_aetitle })}</span>
      </td>
      <td role="status">
        <Echo echo={one.echo} />
        <Health health={one.health} echo={one.echo} />
      </td>
      <td data-acts>
        <div className={table.acts}>
          <RowAct label={t('destinations.testOne', { name })} icon={IconChecklist} isBusy={isTesting} onAct={onTest} />
          {one.can_push === 1 && (
            <RowAct
              label={t('destinations.sendImageOne', { name })}
              icon={IconPhoto}
              isOff={isTesting}
              onAct={onSendImage}
            />
          )}
          <RowAct label={t('destinations.editOne', { name })} icon={IconEdit} onAct={onEdit} />
          <RowAct label={t('destinations.deleteOne', { name })} icon={IconTrash} onAct={onDelete} />
        </div>
      </td>
    </tr>
  )
}

/** Whether the destination answers, as the server asks every few minutes, and since when. */
function Echo({ echo }: Pick<Destination, 'echo'>) {
  const { dateFormat, timeZone } = usePreferences()
  if (!echo) return null
  const since = formatStamp(echo.since, dateFormat, timeZone)
  return (
    <>
      <strong data-failed={echo.ok === 0 || undefined} className={table.echo}>
        {t(echo.ok === 1 ? 'destinations.answers' : 'destinations.silent', { since })}
      </strong>
      {echo.message && <span className={table.aside}>{echo.message}</span>}
    </>
  )
}

/** The outcome of the last test, with each step that failed or that has something to say, in words. */
function Health({ health, echo }: Pick<Destination, 'health' | 'echo'>) {
  const agoOf = useAgo()
  if (!health) return echo ? undefined : t('destinations.untested')
  return (
    <>
      {t(health.ok === 1 ? 'destinations.ok' : 'destinations.notOk')} · {agoOf(health.tested_at)}
      {health.steps
        .filter((one) => one.outcome !== 'ok' || one.message !== '')
        .map(({ step, outcome, message }) => (
          <span key={step} className={table.aside}>
            {[`${t(`destinations.step.${step}`)}: ${t(`destinations.outcome.${outcome}`)}`, message]
              .filter(Boolean)
              .join('. ')}
          </span>
        ))}
    </>
  )
}
