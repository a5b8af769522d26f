import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatStamp } from '../../../format/dates.ts'
import { t } from '../../../labels/label.ts'
import { type ClosedAccount, closedAccountsQuery } from '../../../queries/system.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { useAddress } from '../../../ui/use-address.ts'
import { gridPaging } from '../grid/grid-paging.ts'
import { gridTexts } from '../grid/grid-texts.ts'
import { useGridPage } from '../grid/use-grid-page.ts'
import style from '../users/users.module.css'
import { openingOf } from './closed-address.ts'
import { OrganisationFinder } from './organisation-finder.tsx'

/** Organisations that were closed, each with the way to its audit. */
export function ClosedOrganisations() {
  const { view, handleView, typed, filters, handleFilter } = useGridPage({
    name: 'system',
    sorts: ['closed', 'name'],
    isNewestFirst: true,
    noFilters: { name: '' },
  })
  const [, putAddress] = useAddress()
  const answer = useQuery(closedAccountsQuery(view, filters.name))
  const { data } = answer
  return (
    <TitledSection id="closed" title={t('system.closedTitle')}>
      <div className={style.bar}>
        <Button variant="default" size="xs" onClick={() => putAddress(openingOf('organisations'), true)}>
          {t('system.showOpen')}
        </Button>
      </div>
      <p className={style.lead}>{t('system.closedLead')}</p>
      <div className={style.bar}>
        <OrganisationFinder value={typed.name} onChange={(name) => handleFilter({ name })} />
      </div>
      <DataGrid
        texts={gridTexts(
          {
            label: t('system.closedTitle'),
            failed: t('system.closedFailed'),
            empty: t(filters.name ? 'system.closedNoneFound' : 'system.closedEmpty'),
          },
          data?.page.total,
        )}
        columns={useColumns()}
        rows={data?.accounts}
        keyOf={(one) => one.uuid}
        nameOf={(one) => one.name}
        {...gridPaging(answer, view, handleView)}
        acts={rowActs((one) => putAddress(openingOf({ audit: one.uuid }), true))}
      />
    </TitledSection>
  )
}

function rowActs(onAudit: (one: ClosedAccount) => void) {
  return (one: ClosedAccount, tabIndex: 0 | -1): ReactNode => (
    <Button
      variant="default"
      size="compact-xs"
      tabIndex={tabIndex}
      aria-label={t('system.auditOf', { name: one.name })}
      onClick={() => onAudit(one)}
    >
      {t('system.audit')}
    </Button>
  )
}

function useColumns(): GridColumn<ClosedAccount>[] {
  const { dateFormat, timeZone } = usePreferences()
  return [
    { key: 'name', title: t('system.name'), sort: 'name', isName: true, cell: (one) => one.name },
    {
      key: 'closed',
      title: t('system.closed'),
      sort: 'closed',
      cell: (one) => <span className={style.stamp}>{formatStamp(one.closed, dateFormat, timeZone)}</span>,
    },
  ]
}
