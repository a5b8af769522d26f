import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import {
  canDo,
  noOutsideFilters,
  type OutsideAccess,
  type AskedAct,
  type OutsideAct,
  outsideQuery,
} from '../../../queries/outside-access.ts'
import { namespacesQuery } from '../../../queries/namespaces.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { Banner } from '../../../ui/banner.tsx'
import { DataGrid } from '../../../ui/data-grid.tsx'
import { UndoBanner } from '../../../ui/undo-banner.tsx'
import { FilterButton } from '../grid/grid-filter.tsx'
import { gridPaging } from '../grid/grid-paging.ts'
import { gridTexts } from '../grid/grid-texts.ts'
import { SelectionBar } from '../grid/selection-bar.tsx'
import { useGridPage } from '../grid/use-grid-page.ts'
import { useSelection } from '../grid/use-selection.ts'
import style from '../users/users.module.css'
import { OutsideDialog } from './outside-dialog.tsx'
import { columnsOfAccess } from './outside-columns.tsx'
import { OutsideFilter } from './outside-filter.tsx'
import { outsideRowActs } from './outside-row-acts.tsx'
import { accessHolderText } from './outside-words.ts'
import { useOutsideActs } from './use-outside-acts.ts'
import { useOutsideStamp } from './use-outside-stamp.ts'

const bulkActs = ['end', 'extend'] as const

interface Asked {
  kind: AskedAct
  chosen: readonly OutsideAccess[]
}

/** Accesses of people outside, a page at a time, with ways to end and to extend them. */
export function OutsideGrid({ isEveryone }: { isEveryone: boolean }) {
  const { account } = useEstablished()
  const { view, handleView, typed, filters, handleFilter, countInForce, showFirst } = useGridPage({
    name: isEveryone ? 'outside' : 'own_outside',
    sorts: ['created', 'expires_at', 'who', 'namespace_name', 'by_name', 'kind'],
    noFilters: noOutsideFilters,
  })
  const [isFilterShown, setIsFilterShown] = useState(countInForce > 0)
  const [asked, setAsked] = useState<Asked>()
  const answer = useQuery(outsideQuery(account.uuid, isEveryone, view, filters))
  const { data } = answer
  const selection = useSelection((one: OutsideAccess) => one.uuid)
  const acts = useOutsideActs(account.uuid)
  const addressOf = useAddressOfExam()
  const stamp = useOutsideStamp()
  const handleSelect = (rows: readonly OutsideAccess[], isSelected: boolean) => {
    acts.clear()
    selection.select(rows, isSelected)
  }
  const handleAct = async (act: OutsideAct) => {
    if (!asked) return
    const isDone = await acts.run(
      act,
      asked.chosen.filter((one) => canDo(act, one)),
    )
    setAsked(undefined)
    if (!isDone) return
    selection.clear()
    if (act.kind === 'end') showFirst() // the page may be there no more
  }
  return (
    <>
      <p className={style.lead}>{t(isEveryone ? 'outside.everyone' : 'outside.own')}</p>
      <div className={style.bar}>
        <FilterButton
          filter="outside-filter"
          isShown={isFilterShown}
          count={countInForce}
          onToggle={() => setIsFilterShown(!isFilterShown)}
        />
      </div>
      {isFilterShown && <OutsideFilter filters={typed} hasGivers={isEveryone} onChange={handleFilter} />}
      {acts.ended.length > 0 && (
        <UndoBanner
          label={t('share.undo')}
          isBusy={acts.isBusy}
          onUndo={() => void acts.run({ kind: 'restore' }, acts.ended)}
        >
          {t('outside.ended', { count: acts.ended.length })}
        </UndoBanner>
      )}
      {acts.message && <Banner tone="failed">{acts.message}</Banner>}
      {selection.keys.size > 0 && (
        <SelectionBar
          label={t('outside.bulk')}
          text={t('outside.selected', { count: selection.keys.size })}
          acts={bulkActs.map((act) => ({ act, text: t(`outside.${act}`) }))}
          isBusy={acts.isBusy}
          onAct={(kind) => setAsked({ kind, chosen: selection.rowsWith(data?.accesses) })}
          onClear={selection.clear}
        />
      )}
      <DataGrid
        texts={gridTexts(
          {
            label: t('outside.title'),
            failed: t('outside.failed'),
            empty: t(countInForce > 0 ? 'outside.noneFound' : 'outside.empty'),
          },
          data?.page.total,
        )}
        columns={columnsOfAccess({ ...stamp, addressOf }, isEveryone)}
        rows={data?.accesses}
        keyOf={(one) => one.uuid}
        nameOf={accessHolderText}
        {...gridPaging(answer, view, handleView)}
        selected={selection.keys}
        onSelect={handleSelect}
        acts={outsideRowActs({
          onAct: (kind, one) => {
            acts.clear()
            setAsked({ kind, chosen: [one] })
          },
        })}
      />
      {asked && (
        <OutsideDialog
          {...asked}
          shown={new Set(data?.accesses.map((one) => one.uuid))}
          isBusy={acts.isBusy}
          onAct={(act) => void handleAct(act)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** The address of an exam in its place; undefined of one that is not named, or whose place the person has not in hand. */
function useAddressOfExam() {
  const { account } = useEstablished()
  const { data: inboxes } = useQuery(namespacesQuery(account.uuid))
  return ({ study_id: study, namespace_id: place }: OutsideAccess) => {
    const inbox = inboxes?.find(({ namespaceId }) => namespaceId === place)
    return study && inbox ? `/group/${inbox.id}?study=${study}` : undefined
  }
}
