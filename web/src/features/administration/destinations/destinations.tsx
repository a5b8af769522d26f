import { destinationSet } from '@hilum/contract/calls/destination'
import { nodeCalled } from '@hilum/contract/calls/node'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../../api/api-failure.ts'
import { TextInput } from '../../../fields/text-input.tsx'
import { formatStamp } from '../../../format/dates.ts'
import { useAgo } from '../../../format/use-ago.ts'
import { t } from '../../../labels/label.ts'
import { usesText } from '../../../labels/uses-text.ts'
import {
  type Destination,
  type DestinationFilters,
  destinationsPageQuery,
  noDestinationFilters,
  useDestinations,
} from '../../../queries/destinations.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { IconChecklist, IconEdit, IconPhoto, IconPlus, IconTrash } from '../../../ui/icons.ts'
import table from '../../../ui/row-table.module.css'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { gridPaging } from '../grid/grid-paging.ts'
import { gridTexts } from '../grid/grid-texts.ts'
import { RowAct } from '../grid/row-act.tsx'
import { useGridPage } from '../grid/use-grid-page.ts'
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
        {mayChange ? <DestinationGrid /> : <Banner tone="failed">{t('destinations.notPermitted')}</Banner>}
      </TitledSection>
      {maySeeOwn && <OwnNodes />}
    </>
  )
}

function DestinationGrid() {
  const { account } = useEstablished()
  const { view, handleView, typed, filters, handleFilter } = useGridPage<DestinationFilters>({
    name: 'destinations',
    sorts: ['name', 'aetitle'],
    noFilters: noDestinationFilters,
  })
  const answer = useQuery(destinationsPageQuery(account.uuid, view, filters))
  const { data } = answer
  const { remove, test } = useDestinations(account.uuid)
  const [edited, setEdited] = useState<{ one: Destination | undefined }>()
  const [asked, setAsked] = useState<Destination>()
  const [tried, setTried] = useState<Destination>()
  const handleSendImage = () => {
    if (tried) test.mutate({ uuid: tried.uuid, sendsImage: true })
    setTried(undefined)
  }
  const handleDelete = (one: Destination) => remove.mutate(one, { onSettled: () => setAsked(undefined) })
  return (
    <>
      <p className={style.lead}>{t('destinations.lead')}</p>
      <div className={style.bar}>
        <TextInput
          size="xs"
          aria-label={t('destinations.find')}
          placeholder={t('destinations.find')}
          value={typed.name}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => handleFilter({ name: event.currentTarget.value })}
        />
        <Button size="xs" data-adds leftSection={<IconPlus size={15} />} onClick={() => setEdited({ one: undefined })}>
          {t('destinations.add')}
        </Button>
      </div>
      {remove.isError && <Banner tone="failed">{undeletedText(remove.error, remove.variables)}</Banner>}
      {test.isError && <Banner tone="failed">{t('destinations.actFailed')}</Banner>}
      <DataGrid
        texts={gridTexts(
          {
            label: t('destinations.title'),
            failed: t('destinations.failed'),
            empty: t(filters.name ? 'destinations.noneFound' : 'destinations.empty'),
          },
          data?.page.total,
        )}
        columns={columns()}
        rows={data?.destinations}
        keyOf={({ uuid }) => uuid}
        nameOf={({ name }) => name}
        {...gridPaging(answer, view, handleView)}
        onOpen={(one) => setEdited({ one })}
        acts={destinationActs({
          isTesting: (one) => test.isPending && test.variables.uuid === one.uuid,
          onTest: (one) => test.mutate({ uuid: one.uuid }),
          onSendImage: setTried,
          onEdit: (one) => setEdited({ one }),
          onDelete: setAsked,
        })}
      />
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
function undeletedText(failure: unknown, { name }: Destination): string {
  if (!(failure instanceof ApiFailure) || failure.code !== 'IN_USE') return t('destinations.actFailed')
  return t('destinations.inUse', { name, uses: usesText(failure.data) })
}

interface DestinationActs {
  isTesting: (one: Destination) => boolean
  onTest: (one: Destination) => void
  onSendImage: (one: Destination) => void
  onEdit: (one: Destination) => void
  onDelete: (one: Destination) => void
}

function destinationActs({ isTesting, onTest, onSendImage, onEdit, onDelete }: DestinationActs) {
  return (one: Destination, tabIndex: 0 | -1) => {
    const { name } = one
    return (
      <>
        <RowAct
          tabIndex={tabIndex}
          label={t('destinations.testOne', { name })}
          icon={IconChecklist}
          isBusy={isTesting(one)}
          onAct={() => onTest(one)}
        />
        {one.can_push === 1 && (
          <RowAct
            tabIndex={tabIndex}
            label={t('destinations.sendImageOne', { name })}
            icon={IconPhoto}
            isOff={isTesting(one)}
            onAct={() => onSendImage(one)}
          />
        )}
        <RowAct
          tabIndex={tabIndex}
          label={t('destinations.editOne', { name })}
          icon={IconEdit}
          onAct={() => onEdit(one)}
        />
        <RowAct
          tabIndex={tabIndex}
          label={t('destinations.deleteOne', { name })}
          icon={IconTrash}
          onAct={() => onDelete(one)}
        />
      </>
    )
  }
}

function columns(): GridColumn<Destination>[] {
  return [
    {
      key: 'name',
      title: t('destinations.name'),
      sort: 'name',
      isName: true,
      cell: (one) => (
        <>
          {one.name}
          <span className={table.aside}>{usesOf(one)}</span>
        </>
      ),
    },
    {
      key: 'node',
      title: t('destinations.place'),
      sort: 'aetitle',
      cell: (one) => (
        <>
          {`${one.aetitle} · ${one.address}:${one.port}`}
          <span className={table.aside}>{t('destinations.ownTitle', { title: one.node_aetitle })}</span>
        </>
      ),
    },
    {
      key: 'health',
      title: t('destinations.health'),
      cell: ({ health, echo }) => (
        <div role="status">
          <Echo echo={echo} />
          <Health health={health} echo={echo} />
        </div>
      ),
    },
  ]
}

function usesOf(one: Destination): string {
  return [
    one.can_search === 1 && t('destinations.canSearch'),
    one.can_query_retrieve === 1 && t('destinations.canRetrieve'),
    one.can_push === 1 && t('destinations.canPush'),
    one.can_search_mwl === 1 && t('destinations.canWorklist'),
  ]
    .filter(Boolean)
    .join(', ')
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
