import { retentionCauses, retentionHold } from '@hilum/contract/calls/retention'
import { restoreDays } from '@hilum/contract/limits'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { nameText } from '../../../format/person-name.ts'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import {
  type BinFilters,
  binQuery,
  type DeletedExam,
  type RetentionAct,
  listWholeBin,
  noBinFilters,
} from '../../../queries/retention.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { FilterButton, filterTexts, GridFilter } from '../grid/grid-filter.tsx'
import { gridPaging } from '../grid/grid-paging.ts'
import { gridTexts } from '../grid/grid-texts.ts'
import { useGridPage } from '../grid/use-grid-page.ts'
import { CsvButton, csvStamp } from './csv-button.tsx'
import { type AskedRetention, RetentionDialog } from './retention-dialog.tsx'
import { retentionRowActs } from './retention-row-acts.tsx'
import { ExamCell, patientText, StampCell, useRetentionDates } from './retention-cells.tsx'
import style from './retention.module.css'

/** Deleted exams of all places: when each goes for good, and what keeps it. */
export function BinGrid() {
  const { account } = useEstablished()
  const mayHold = useMayCall(retentionHold)
  const { view, handleView, typed, filters, handleFilter, countInForce } = useGridPage({
    name: 'retention_bin',
    sorts: ['due_at', 'deleted_at', 'namespace_name'],
    noFilters: noBinFilters,
  })
  const [isFilterShown, setIsFilterShown] = useState(countInForce > 0)
  const [asked, setAsked] = useState<AskedRetention>()
  const answer = useQuery(binQuery(account.uuid, view, filters))
  const columns = useBinColumns()
  const { data } = answer
  return (
    <>
      <p className={style.lead}>{t('retention.binLead', { days: restoreDays })}</p>
      <div className={style.bar}>
        <FilterButton
          filter="bin-filter"
          isShown={isFilterShown}
          count={countInForce}
          onToggle={() => setIsFilterShown(!isFilterShown)}
        />
        <BinCsv accountId={account.uuid} filters={filters} />
      </div>
      {isFilterShown && <BinFilter filters={typed} onChange={handleFilter} />}
      <DataGrid
        texts={gridTexts(
          {
            label: t('retention.binGrid'),
            failed: t('retention.binFailed'),
            empty: t(countInForce > 0 ? 'retention.noneFound' : 'retention.binEmpty'),
          },
          data?.page.total,
        )}
        columns={columns}
        rows={data?.exams}
        keyOf={(one) => one.uuid}
        nameOf={patientText}
        {...gridPaging(answer, view, handleView)}
        {...(mayHold
          ? {
              acts: retentionRowActs<DeletedExam>({
                actsOn,
                onAct: (act, one) =>
                  setAsked({
                    act,
                    thing: { study_id: one.uuid },
                    name: patientText(one),
                    lastDay: one.retain_until,
                  }),
              }),
            }
          : {})}
      />
      {asked && <RetentionDialog {...asked} onDone={() => setAsked(undefined)} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function actsOn({ kept_by: cause }: DeletedExam): RetentionAct[] {
  return cause === 'hold' ? ['release'] : ['hold', 'date']
}

function useBinColumns(): GridColumn<DeletedExam>[] {
  const { day, moment } = useRetentionDates()
  return [
    {
      key: 'exam',
      title: t('retention.exam'),
      isName: true,
      cell: (one) => <ExamCell exam={one} day={day} />,
    },
    {
      key: 'place',
      title: t('retention.place'),
      sort: 'namespace_name',
      cell: (one) => <bdi>{one.namespace_name}</bdi>,
    },
    {
      key: 'deleted',
      title: t('retention.deletedAt'),
      sort: 'deleted_at',
      cell: (one) => (
        <>
          <StampCell>{moment(one.deleted_at)}</StampCell>
          <p className={style.aside}>{one.deleted_by || t('retention.nobody')}</p>
        </>
      ),
    },
    {
      key: 'due',
      title: t('retention.goesAt'),
      sort: 'due_at',
      cell: (one) => <StampCell>{dueText(one, moment)}</StampCell>,
    },
    { key: 'kept', title: t('retention.keptBy'), cell: (one) => t(`retention.keptBy.${one.kept_by}`) },
  ]
}

function dueText({ due_at: due }: DeletedExam, moment: (stamp: string) => string): string {
  if (due === null) return t('retention.goesNever')
  return Date.parse(csvStamp(due)) < Date.now() ? t('retention.goesNext') : moment(due)
}

function BinFilter({ filters, onChange }: { filters: BinFilters; onChange: (filters: BinFilters) => void }) {
  const text = filterTexts(filters, onChange)
  return (
    <GridFilter id="bin-filter" label={t('retention.filterForm')} onClear={() => onChange(noBinFilters)}>
      <TextInput {...text('place', t('retention.place'))} autoFocus />
      <NativeSelect
        label={t('retention.keptBy')}
        value={filters.kept}
        data={[
          { value: '', label: t('retention.keptBy.any') },
          { value: 'nothing', label: t('retention.keptBy.nothing') },
          ...retentionCauses.flatMap((value) =>
            value === '' ? [] : [{ value, label: t(`retention.keptBy.${value}`) }],
          ),
        ]}
        onChange={(event) => onChange({ ...filters, kept: event.currentTarget.value as BinFilters['kept'] })} // one of the options above
      />
    </GridFilter>
  )
}

function BinCsv({ accountId, filters }: { accountId: string; filters: BinFilters }) {
  return (
    <CsvButton
      name={t('retention.binCsv')}
      head={[
        t('audit.patientName'),
        t('retention.findMrn'),
        t('audit.issuer'),
        t('retention.date'),
        t('retention.description'),
        t('retention.uid'),
        t('retention.place'),
        t('retention.deletedAt'),
        t('retention.deletedBy'),
        t('retention.goesAt'),
        t('retention.keptBy'),
      ]}
      load={() => listWholeBin(accountId, filters)}
      cellsOf={(one) => [
        nameText(one.patient_name),
        one.patientid,
        one.issuer,
        one.study_date,
        one.study_description,
        one.study_uid,
        one.namespace_name,
        csvStamp(one.deleted_at),
        one.deleted_by,
        csvStamp(one.due_at),
        t(`retention.keptBy.${one.kept_by || 'nothing'}`),
      ]}
    />
  )
}
