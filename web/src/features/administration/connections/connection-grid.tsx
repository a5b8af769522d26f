import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatStamp } from '../../../format/dates.ts'
import { t } from '../../../labels/label.ts'
import { type Connection, connectionsQuery, useConnections } from '../../../queries/connections.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { GridTexts } from '../../../ui/grid-view.ts'
import { IconPlus } from '../../../ui/icons.ts'
import { gridPaging } from '../grid/grid-paging.ts'
import { useGridPage } from '../grid/use-grid-page.ts'
import style from '../users/users.module.css'
import { AskForm } from './ask-form.tsx'
import { connectionRowActs } from './connection-row-acts.tsx'

/** The connections of the organisation, with ways to ask for one, to accept and to end one. */
export function ConnectionGrid() {
  const { account } = useEstablished()
  const { view, handleView } = useGridPage({
    name: 'connections',
    sorts: ['account_name', 'state', 'created'],
    noFilters: {},
  })
  const answer = useQuery(connectionsQuery(account.uuid, view))
  const { data } = answer
  const { ask, accept, end } = useConnections(account.uuid)
  const [isAsking, setIsAsking] = useState(false)
  const [toEnd, setToEnd] = useState<Connection>()
  const [stopsSent, setStopsSent] = useState(false)
  const handleAccept = (one: Connection) => {
    end.reset()
    accept.mutate(one, { onSuccess: () => putNotice(t('connections.accepted', { name: one.account_name })) })
  }
  const handleEnd = (one: Connection) => {
    accept.reset()
    setToEnd(undefined)
    const stopSent = stopsSent && one.state === 'connected' && one.sent_count > 0
    const { account_name: name } = one
    end.mutate(
      { ...one, stopSent },
      {
        onSuccess: ({ stopped: count }) =>
          putNotice(stopSent ? t('connections.endedStopped', { name, count }) : t('connections.ended', { name })),
      },
    )
  }
  return (
    <>
      <p className={style.lead}>{t('connections.lead')}</p>
      <div className={style.bar}>
        <Button
          size="xs"
          data-adds
          leftSection={<IconPlus size={15} />}
          onClick={() => {
            ask.reset()
            setIsAsking(true)
          }}
        >
          {t('connections.ask')}
        </Button>
      </div>
      {(accept.isError || end.isError) && <Banner tone="failed">{t('connections.actFailed')}</Banner>}
      <DataGrid
        texts={textsOf(data?.page.total)}
        columns={useColumns()}
        rows={data?.connections}
        keyOf={(one) => one.uuid}
        nameOf={(one) => one.account_name}
        {...gridPaging(answer, view, handleView)}
        acts={connectionRowActs({
          isAccepting: ({ uuid }) => accept.isPending && accept.variables.uuid === uuid,
          isEnding: ({ uuid }) => end.isPending && end.variables.uuid === uuid,
          onAccept: handleAccept,
          onEnd: (one) => {
            setStopsSent(false)
            if (one.state === 'connected') setToEnd(one)
            else handleEnd(one)
          },
        })}
      />
      {isAsking && <AskForm ask={ask} onClose={() => setIsAsking(false)} />}
      {toEnd && (
        <Dialog
          title={t('connections.question', { name: toEnd.account_name })}
          closeLabel={t('button.close')}
          onClose={() => setToEnd(undefined)}
        >
          <p className={style.question}>{t('connections.questionText')}</p>
          {toEnd.sent_count > 0 && (
            <Checkbox
              className={style.question}
              label={t('connections.stopSent', { count: toEnd.sent_count })}
              description={t('connections.stopSentHelp')}
              checked={stopsSent}
              onChange={(event) => setStopsSent(event.currentTarget.checked)}
            />
          )}
          <div className={style.buttons}>
            <Button variant="default" onClick={() => setToEnd(undefined)}>
              {t('button.cancel')}
            </Button>
            <Button color="red" data-autofocus onClick={() => handleEnd(toEnd)}>
              {t(stopsSent ? 'connections.endAndStop' : 'connections.end')}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

function useColumns(): GridColumn<Connection>[] {
  const { dateFormat, timeZone } = usePreferences()
  return [
    {
      key: 'name',
      title: t('connections.name'),
      sort: 'account_name',
      isName: true,
      cell: (one) => one.account_name,
    },
    {
      key: 'state',
      title: t('connections.state'),
      sort: 'state',
      cell: (one) => (
        <>
          {t(`connections.state.${one.state}`)}
          {one.state === 'asked' && one.asked_by_name && (
            <span className={style.mark}>{t('connections.askedBy', { who: one.asked_by_name })}</span>
          )}
          {one.state !== 'connected' && one.message && <p className={style.hint}>{one.message}</p>}
        </>
      ),
    },
    {
      key: 'since',
      title: t('connections.since'),
      sort: 'created',
      cell: (one) => (
        <span className={style.stamp}>{formatStamp(one.connected_at ?? one.created, dateFormat, timeZone)}</span>
      ),
    },
  ]
}

function textsOf(total: number | undefined): GridTexts {
  return {
    label: t('connections.title'),
    loading: t('loading'),
    failed: t('connections.failed'),
    retry: t('button.retry'),
    empty: t('connections.empty'),
    acts: t('users.acts'),
    selectAll: '',
    selectOne: () => '',
    rowsPerPage: t('connections.rows'),
    previous: t('connections.previous'),
    next: t('connections.next'),
    range: (from, to) => t('connections.range', { from, to, total: total ?? to }),
  }
}
