import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatStamp } from '../../../format/dates.ts'
import { formatCount } from '../../../format/file-size.ts'
import { t } from '../../../labels/label.ts'
import { type SystemAccount, systemAccountsQuery } from '../../../queries/system.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { PassingBanner } from '../../../ui/passing-banner.tsx'
import { useAddress } from '../../../ui/use-address.ts'
import { gridPaging } from '../grid/grid-paging.ts'
import { gridTexts } from '../grid/grid-texts.ts'
import { useGridPage } from '../grid/use-grid-page.ts'
import style from '../users/users.module.css'
import { CloseDialog } from '../organisation/close-dialog.tsx'
import { openingOf } from './closed-address.ts'
import { NewOrganisationForm } from './new-organisation.tsx'
import { OrganisationFinder } from './organisation-finder.tsx'
import { ProxyDialog } from './proxy-dialog.tsx'

/** Every organisation, with ways to make one and to sign in as one of its people where it lets support in. */
export function OrganisationGrid({ mayAdd }: { mayAdd: boolean }) {
  const { view, handleView, typed, filters, handleFilter } = useGridPage({
    name: 'system',
    sorts: ['name', 'created'],
    noFilters: { name: '' },
  })
  const [, putAddress] = useAddress()
  const answer = useQuery(systemAccountsQuery(view, filters.name))
  const [isAdding, setIsAdding] = useState(false)
  const [proxied, setProxied] = useState<SystemAccount>()
  const [closing, setClosing] = useState<SystemAccount>()
  const [closed, setClosed] = useState<{ name: string; number: number }>()
  const { data } = answer
  return (
    <>
      {closed && (
        <PassingBanner key={closed.number} onGone={() => setClosed(undefined)}>
          {t('close.closed', { name: closed.name })}
        </PassingBanner>
      )}
      <p className={style.lead}>{t('system.lead')}</p>
      <div className={style.bar}>
        <OrganisationFinder value={typed.name} onChange={(name) => handleFilter({ name })} />
        {mayAdd && (
          <Button variant="default" size="xs" onClick={() => putAddress(openingOf('closed'), true)}>
            {t('system.showClosed')}
          </Button>
        )}
        {mayAdd && (
          <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => setIsAdding(true)}>
            {t('system.add')}
          </Button>
        )}
      </div>
      <DataGrid
        texts={gridTexts(
          { label: t('system.title'), failed: t('system.failed'), empty: t('system.empty') },
          data?.page.total,
        )}
        columns={useColumns()}
        rows={data?.accounts}
        keyOf={(one) => one.uuid}
        nameOf={(one) => one.name}
        {...gridPaging(answer, view, handleView)}
        acts={rowActs({ onSignIn: setProxied, ...(mayAdd ? { onClose: setClosing } : {}) })}
      />
      {isAdding && <NewOrganisationForm onClose={() => setIsAdding(false)} />}
      {closing && (
        <CloseDialog
          account={closing}
          onClosed={() => {
            setClosed({ name: closing.name, number: (closed?.number ?? 0) + 1 })
            setClosing(undefined)
          }}
          onClose={() => setClosing(undefined)}
        />
      )}
      {proxied && <ProxyDialog account={proxied} onClose={() => setProxied(undefined)} />}
    </>
  )
}

/** Without `onClose`, organisations are not closed by whoever looks at them. */
function rowActs({
  onSignIn,
  onClose,
}: {
  onSignIn: (one: SystemAccount) => void
  onClose?: (one: SystemAccount) => void
}) {
  return (one: SystemAccount, tabIndex: 0 | -1): ReactNode => (
    <>
      {one.support_until !== null && (
        <Button
          variant="default"
          size="compact-xs"
          tabIndex={tabIndex}
          aria-label={t('system.signInAsName', { name: one.name })}
          onClick={() => onSignIn(one)}
        >
          {t('system.signInAs')}
        </Button>
      )}
      {onClose && (
        <Button
          variant="default"
          size="compact-xs"
          tabIndex={tabIndex}
          aria-label={t('close.actName', { name: one.name })}
          onClick={() => onClose(one)}
        >
          {t('close.act')}
        </Button>
      )}
    </>
  )
}

function useColumns(): GridColumn<SystemAccount>[] {
  const { dateFormat, timeZone } = usePreferences()
  const stamp = (text: string) => formatStamp(text, dateFormat, timeZone)
  return [
    { key: 'name', title: t('system.name'), sort: 'name', isName: true, cell: (one) => one.name },
    {
      key: 'administrators',
      title: t('system.administrators'),
      cell: ({ administrators }) =>
        administrators.length === 0
          ? t('system.noAdministrator')
          : administrators.map(({ name, email }) => (
              <div key={email} title={email}>
                {name || email}
              </div>
            )),
    },
    { key: 'people', title: t('system.people'), cell: (one) => formatCount(one.user_count) },
    { key: 'groups', title: t('system.groups'), cell: (one) => formatCount(one.group_count) },
    {
      key: 'created',
      title: t('system.created'),
      sort: 'created',
      cell: (one) => <span className={style.stamp}>{stamp(one.created)}</span>,
    },
    {
      key: 'support',
      title: t('system.support'),
      cell: ({ support_until: until }) =>
        until === null ? t('system.supportOff') : t('system.supportUntil', { until: stamp(until) }),
    },
  ]
}
