import { retainedKinds, retentionHold } from '@hilum/contract/calls/retention'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import {
  type RetainedEntry,
  type RetainedFilters,
  retainedQuery,
  noRetainedFilters,
} from '../../../queries/retention.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { FilterButton, filterTexts, GridFilter } from '../grid/grid-filter.tsx'
import { gridPaging } from '../grid/grid-paging.ts'
import { gridTexts } from '../grid/grid-texts.ts'
import { useGridPage } from '../grid/use-grid-page.ts'
import { type AskedRetention, RetentionDialog } from './retention-dialog.tsx'
import { retentionRowActs } from './retention-row-acts.tsx'
import { PatientFinder } from './patient-finder.tsx'
import { ExamCell, patientText, StampCell, useRetentionDates } from './retention-cells.tsx'
import style from './retention.module.css'

/** Holds and dates of retention, with a way to find the patient whose exams are to be kept. */
export function RetainedGrid() {
  const { account } = useEstablished()
  const mayHold = useMayCall(retentionHold)
  const { view, handleView, typed, filters, handleFilter, countInForce, showFirst } = useGridPage({
    name: 'retention_kept',
    sorts: ['since', 'until', 'kind', 'namespace_name'],
    noFilters: noRetainedFilters,
    isNewestFirst: true,
  })
  const [isFilterShown, setIsFilterShown] = useState(countInForce > 0)
  const [asked, setAsked] = useState<AskedRetention>()
  const answer = useQuery(retainedQuery(account.uuid, view, filters))
  const columns = useRetainedColumns()
  const { data } = answer
  return (
    <>
      <p className={style.lead}>{t('retention.keptLead')}</p>
      {mayHold && <PatientFinder />}
      <div className={style.bar}>
        <FilterButton
          filter="kept-filter"
          isShown={isFilterShown}
          count={countInForce}
          onToggle={() => setIsFilterShown(!isFilterShown)}
        />
      </div>
      {isFilterShown && <RetainedFilter filters={typed} onChange={handleFilter} />}
      <DataGrid
        texts={gridTexts(
          {
            label: t('retention.keptGrid'),
            failed: t('retention.keptFailed'),
            empty: t(countInForce > 0 ? 'retention.noneFound' : 'retention.keptEmpty'),
          },
          data?.page.total,
        )}
        columns={columns}
        rows={data?.kept}
        keyOf={keyOfRetained}
        nameOf={patientText}
        {...gridPaging(answer, view, handleView)}
        {...(mayHold
          ? {
              acts: retentionRowActs<RetainedEntry>({
                actsOn: ({ kind }) => [kind === 'date' ? 'date' : 'release'],
                onAct: (act, one) => setAsked({ act, ...askedOf(one) }),
              }),
            }
          : {})}
      />
      {asked && (
        <RetentionDialog
          {...asked}
          onDone={() => {
            setAsked(undefined)
            showFirst() // the page may be there no more
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

function keyOfRetained({ kind, uuid, patientid, issuer }: RetainedEntry): string {
  return kind === 'patient' ? JSON.stringify([patientid, issuer]) : `${kind} ${uuid}`
}

function askedOf(one: RetainedEntry): Omit<AskedRetention, 'act'> {
  const { uuid, patientid, issuer, until: lastDay } = one
  const thing = one.kind === 'patient' ? { patientid, issuer } : { study_id: uuid }
  return { thing, name: patientText(one), lastDay }
}

function useRetainedColumns(): GridColumn<RetainedEntry>[] {
  const { day, moment } = useRetentionDates()
  return [
    {
      key: 'what',
      title: t('retention.exam'),
      isName: true,
      cell: (one) => <ExamCell exam={one} day={day} />,
    },
    {
      key: 'kind',
      title: t('retention.kind'),
      sort: 'kind',
      cell: (one) => (
        <>
          {t(`retention.kept.${one.kind}`)}
          {one.is_deleted === 1 && <p className={style.aside}>{t('retention.inBin')}</p>}
        </>
      ),
    },
    {
      key: 'place',
      title: t('retention.place'),
      sort: 'namespace_name',
      cell: (one) => <bdi>{one.namespace_name}</bdi>,
    },
    {
      key: 'until',
      title: t('retention.until'),
      sort: 'until',
      cell: (one) => <StampCell>{one.until === null ? t('retention.untilEnded') : day(one.until)}</StampCell>,
    },
    { key: 'reason', title: t('retention.reason'), cell: (one) => <bdi>{one.reason}</bdi> },
    {
      key: 'since',
      title: t('retention.since'),
      sort: 'since',
      cell: (one) => (
        <>
          <StampCell>{one.since ? moment(one.since) : ''}</StampCell>
          <p className={style.aside}>{one.by_name}</p>
        </>
      ),
    },
  ]
}

function RetainedFilter({
  filters,
  onChange,
}: {
  filters: RetainedFilters
  onChange: (filters: RetainedFilters) => void
}) {
  const text = filterTexts(filters, onChange)
  return (
    <GridFilter id="kept-filter" label={t('retention.filterForm')} onClear={() => onChange(noRetainedFilters)}>
      <TextInput {...text('place', t('retention.place'))} autoFocus />
      <TextInput {...text('reason', t('retention.reason'))} />
      <NativeSelect
        label={t('retention.kind')}
        value={filters.kind}
        data={(['', ...retainedKinds] as const).map((value) => ({ value, label: t(`retention.kept.${value}`) }))}
        onChange={(event) => onChange({ ...filters, kind: event.currentTarget.value as RetainedFilters['kind'] })} // one of the options above
      />
    </GridFilter>
  )
}
