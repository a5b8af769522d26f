import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import {
  listAllPurged,
  noPurgedFilters,
  type PurgedExam,
  type PurgedFilters,
  purgedQuery,
} from '../../../queries/retention.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { FilterButton, filterTexts, GridFilter } from '../grid/grid-filter.tsx'
import { gridPaging } from '../grid/grid-paging.ts'
import { gridTexts } from '../grid/grid-texts.ts'
import { useGridPage } from '../grid/use-grid-page.ts'
import { CsvButton, csvStamp } from './csv-button.tsx'
import { StampCell, useRetentionDates } from './retention-cells.tsx'
import style from './retention.module.css'

/** Exams that were removed for good, the latest first. */
export function PurgedGrid() {
  const { account } = useEstablished()
  const { view, handleView, typed, filters, handleFilter, countInForce } = useGridPage({
    name: 'retention_purged',
    sorts: ['at'],
    noFilters: noPurgedFilters,
    isNewestFirst: true,
  })
  const [isFilterShown, setIsFilterShown] = useState(countInForce > 0)
  const answer = useQuery(purgedQuery(account.uuid, view, filters))
  const columns = usePurgedColumns()
  const { data } = answer
  return (
    <>
      <p className={style.lead}>{t('retention.purgedLead')}</p>
      <div className={style.bar}>
        <FilterButton
          filter="purged-filter"
          isShown={isFilterShown}
          count={countInForce}
          onToggle={() => setIsFilterShown(!isFilterShown)}
        />
        <PurgedCsv accountId={account.uuid} filters={filters} />
      </div>
      {isFilterShown && <PurgedFilter filters={typed} onChange={handleFilter} />}
      <DataGrid
        texts={gridTexts(
          {
            label: t('retention.purgedGrid'),
            failed: t('retention.purgedFailed'),
            empty: t(countInForce > 0 ? 'retention.noneFound' : 'retention.purgedEmpty'),
          },
          data?.page.total,
        )}
        columns={columns}
        rows={data?.exams}
        keyOf={(one) => one.uuid}
        nameOf={(one) => one.study_uid}
        {...gridPaging(answer, view, handleView)}
      />
    </>
  )
}

function usePurgedColumns(): GridColumn<PurgedExam>[] {
  const { moment } = useRetentionDates()
  return [
    {
      key: 'uid',
      title: t('retention.uid'),
      isName: true,
      cell: (one) => <StampCell>{one.study_uid}</StampCell>,
    },
    {
      key: 'place',
      title: t('retention.place'),
      cell: (one) => <bdi>{one.namespace_name || t('retention.goneplace')}</bdi>,
    },
    {
      key: 'deleted',
      title: t('retention.deletedAt'),
      cell: (one) => (
        <>
          <StampCell>{one.deleted_at ? moment(one.deleted_at) : ''}</StampCell>
          <p className={style.aside}>{one.deleted_by}</p>
        </>
      ),
    },
    {
      key: 'at',
      title: t('retention.purgedAt'),
      sort: 'at',
      cell: (one) => <StampCell>{moment(one.at)}</StampCell>,
    },
    {
      key: 'by',
      title: t('retention.by'),
      cell: (one) => (
        <>
          {removerText(one)}
          {one.reason && <p className={style.aside}>{one.reason}</p>}
        </>
      ),
    },
  ]
}

function removerText({ operator }: PurgedExam): string {
  return operator ? t('retention.byErasure', { operator }) : t('retention.byPurge')
}

function PurgedFilter({ filters, onChange }: { filters: PurgedFilters; onChange: (filters: PurgedFilters) => void }) {
  const text = filterTexts(filters, onChange)
  return (
    <GridFilter id="purged-filter" label={t('retention.filterForm')} onClear={() => onChange(noPurgedFilters)}>
      <TextInput {...text('place', t('retention.place'))} autoFocus />
      <TextInput type="date" {...text('from', t('retention.from'))} />
      <TextInput type="date" {...text('to', t('retention.to'))} />
    </GridFilter>
  )
}

function PurgedCsv({ accountId, filters }: { accountId: string; filters: PurgedFilters }) {
  return (
    <CsvButton
      name={t('retention.purgedCsv')}
      head={[
        t('retention.uid'),
        t('retention.place'),
        t('retention.deletedAt'),
        t('retention.deletedBy'),
        t('retention.purgedAt'),
        t('retention.by'),
        t('retention.reason'),
      ]}
      load={() => listAllPurged(accountId, filters)}
      cellsOf={(one) => [
        one.study_uid,
        one.namespace_name,
        csvStamp(one.deleted_at),
        one.deleted_by,
        csvStamp(one.at),
        removerText(one),
        one.reason,
      ]}
    />
  )
}
