import { routeSet } from '@hilum/contract/calls/route'
import { Button, NativeSelect, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import {
  noRuleFilters,
  type RoutingRule,
  type RuleFilters,
  routingRulesQuery,
  ruleTargetsQuery,
  useAwaitedPlace,
  useMoveRule,
} from '../../../queries/routing-rules.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { PassingBanner } from '../../../ui/passing-banner.tsx'
import { DataGrid } from '../../../ui/data-grid.tsx'
import { gridPaging } from '../grid/grid-paging.ts'
import { useGridView } from '../grid/use-stored-rows.ts'
import type { GridTexts } from '../../../ui/grid-view.ts'
import { IconPlus } from '../../../ui/icons.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { ruleGridColumns } from './rule-columns.tsx'
import { RuleForm } from './rule-form.tsx'
import { RuleNotice, ruleNoticeMs } from './rule-notice.tsx'
import { ruleRowActs } from './rule-row-acts.tsx'
import { RuleRuns } from './rule-runs.tsx'
import { type BulkAct, useRuleActs } from './use-rule-acts.ts'
import { SelectionBar } from '../grid/selection-bar.tsx'
import style from './routing.module.css'

const filterAfterMs = 300
/** Windows in which a column of each part of a rule would go out of sight. */
const tooNarrow = '(max-width: 110em)'
const bulkActs = ['enable', 'disable', 'delete'] as const

export function RuleGrid() {
  const { account } = useEstablished()
  const mayEdit = useMayCall(routeSet)
  const [view, setView] = useGridView('routes', 'sequence')
  const [typed, setTyped] = useState(noRuleFilters)
  const [filters] = useDebouncedValue(typed, filterAfterMs)
  const [selection, setSelection] = useState<ReadonlyMap<string, RoutingRule>>(new Map())
  const [asked, setAsked] = useState<readonly RoutingRule[]>()
  const [edited, setEdited] = useState<{ uuid: string | undefined }>()
  const [followed, setFollowed] = useState<RoutingRule>()
  const query = useQuery(routingRulesQuery(account.uuid, view, filters))
  const targets = useQuery(ruleTargetsQuery(account.uuid))
  const move = useMoveRule()
  const acts = useRuleActs()
  const awaitedPlace = useAwaitedPlace()
  const [moved, setMoved] = useState('')
  const isNarrow = useMediaQuery(tooNarrow, undefined, { getInitialValueInEffect: false })
  const { data } = query
  const shown = new Map(data?.routes.map((one) => [one.uuid, one]))
  const selected = [...selection.values()].map((one) => shown.get(one.uuid) ?? one)
  const isFiltered = filters.name.trim() !== '' || filters.state !== ''
  const isOrdered = view.sort.field === 'sequence' && !view.sort.isDescending && !isFiltered

  const handleFilter = (part: Partial<RuleFilters>) => {
    setTyped({ ...typed, ...part })
    setView({ ...view, page: 1 })
  }
  const handleSelect = (rules: readonly RoutingRule[], isSelected: boolean) => {
    const next = new Map(selection)
    for (const one of rules) {
      if (isSelected) next.set(one.uuid, one)
      else next.delete(one.uuid)
    }
    setSelection(next)
  }
  const handleBulk = (act: BulkAct) => {
    if (act === 'delete') setAsked(selected)
    else void acts.act(act, selected).then((isDone) => isDone && setSelection(new Map()))
  }
  const handleDelete = async (rules: readonly RoutingRule[]) => {
    await acts.act('delete', rules)
    setAsked(undefined)
    handleSelect(rules, false)
    setView({ ...view, page: 1 }) // the page may be there no more
  }
  const handleMove = (uuid: string, sequence: number) => {
    move.mutate(
      { uuid, sequence },
      {
        onSuccess: () => setMoved(t('routing.moved', { name: shown.get(uuid)?.name ?? '', number: sequence })),
      },
    )
  }
  // from where the rule will stand, not from where its row stands: keys are pressed faster than rows move
  const handleMoveBy = ({ uuid, sequence }: RoutingRule, by: number) => {
    const from = awaitedPlace(uuid) ?? sequence
    const to = Math.min(Math.max(from + by, 1), Math.max(data?.page.total ?? 1, sequence))
    if (to !== from) handleMove(uuid, to)
  }
  const handleSaved = (name: string) => {
    setEdited(undefined)
    putNotice(t('routing.saved', { name }))
  }
  const columns = ruleGridColumns({
    targets: targets.data,
    isNarrow,
    onMove: mayEdit && isOrdered ? { to: handleMove, by: handleMoveBy } : undefined,
  })
  return (
    <>
      <p className={style.lead}>{t('routing.lead')}</p>
      <div className={style.bar}>
        <div className={style.filters}>
          <TextInput
            size="xs"
            label={t('routing.filterName')}
            value={typed.name}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => handleFilter({ name: event.currentTarget.value })}
          />
          <NativeSelect
            size="xs"
            label={t('routing.state')}
            value={typed.state}
            data={[
              { value: '', label: t('routing.all') },
              { value: 'active', label: t('routing.active') },
              { value: 'disabled', label: t('routing.disabledState') },
            ]}
            onChange={(event) => handleFilter({ state: event.currentTarget.value as RuleFilters['state'] })} // one of the options above
          />
        </div>
        {mayEdit && (
          <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => setEdited({ uuid: undefined })}>
            {t('routing.add')}
          </Button>
        )}
      </div>
      {acts.failure && (
        <PassingBanner key={acts.failure.id} tone="failed" ms={ruleNoticeMs} onGone={acts.dismissFailure}>
          {acts.failure.text}
        </PassingBanner>
      )}
      {move.isError && (
        <PassingBanner key={move.submittedAt} tone="failed" ms={ruleNoticeMs} onGone={move.reset}>
          {t('routing.moveFailed', { name: shown.get(move.variables.uuid)?.name ?? '' })}
        </PassingBanner>
      )}
      <VisuallyHidden aria-live="polite">{moved}</VisuallyHidden>
      {acts.done && <RuleNotice key={acts.done.id} text={acts.done.text} onUndo={acts.undo} onDismiss={acts.dismiss} />}
      {mayEdit && selection.size > 0 && (
        <SelectionBar
          label={t('routing.bulk')}
          text={t('routing.selected', { count: selection.size })}
          acts={bulkActs.map((act) => ({ act, text: t(`routing.${act}`) }))}
          isBusy={acts.isBusy}
          onAct={handleBulk}
          onClear={() => setSelection(new Map())}
        />
      )}
      <DataGrid
        texts={textsOf(isFiltered, data?.page.total)}
        columns={columns}
        rows={data?.routes}
        keyOf={(one) => one.uuid}
        nameOf={(one) => one.name}
        isDimmed={(one) => one.suspended === 1}
        {...gridPaging(query, view, setView)}
        {...(mayEdit
          ? {
              selected: new Set(selection.keys()),
              onSelect: handleSelect,
              onOpen: (one: RoutingRule) => setEdited({ uuid: one.uuid }),
            }
          : {})}
        acts={ruleRowActs({
          onRuns: setFollowed,
          ...(mayEdit
            ? {
                onToggle: (one) => void acts.act(one.suspended === 1 ? 'enable' : 'disable', [one]),
                onEdit: (one) => setEdited({ uuid: one.uuid }),
                onDelete: (one) => setAsked([one]),
              }
            : {}),
        })}
      />
      {asked && (
        <DeleteDialog
          rules={asked}
          shown={new Set(shown.keys())}
          isBusy={acts.isBusy}
          onDelete={() => void handleDelete(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {edited && <RuleForm uuid={edited.uuid} onSaved={handleSaved} onClose={() => setEdited(undefined)} />}
      {followed && <RuleRuns rule={followed} onClose={() => setFollowed(undefined)} />}
    </>
  )
}

function textsOf(isFiltered: boolean, total: number | undefined): GridTexts {
  return {
    label: t('routing.title'),
    loading: t('loading'),
    failed: t('routing.failed'),
    retry: t('button.retry'),
    empty: t(isFiltered ? 'routing.noneFound' : 'routing.empty'),
    acts: t('routing.buttons'),
    selectAll: t('routing.selectAll'),
    selectOne: (name) => t('routing.selectOne', { name }),
    rowsPerPage: t('routing.rows'),
    previous: t('routing.previous'),
    next: t('routing.next'),
    range: (from, to) => t('routing.range', { from, to, total: total ?? to }),
  }
}
