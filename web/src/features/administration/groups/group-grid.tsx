import { Button, NativeSelect, TextInput } from '@mantine/core'
import { designations } from '@hilum/contract/inbox-config'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import {
  groupsQuery,
  noGroupFilters,
  type GroupFilters,
  type Place,
  useDeleteGroups,
} from '../../../queries/account-groups.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMay } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { IconFilter, IconPlus } from '../../../ui/icons.ts'
import { useAddress } from '../../../ui/use-address.ts'
import { AskDialog } from '../grid/ask-dialog.tsx'
import { gridTexts } from '../grid/grid-texts.ts'
import { wordsFor } from '../grid/words-for.ts'
import { useGridPage } from '../grid/use-grid-page.ts'
import { useSelection } from '../grid/use-selection.ts'
import { gridPaging } from '../grid/grid-paging.ts'
import { SelectionBar } from '../grid/selection-bar.tsx'
import style from '../users/users.module.css'
import { GroupForm } from './group-form.tsx'
import { groupReason } from './group-reasons.ts'
import { groupRowActs } from './group-row-acts.tsx'

/** The groups of an account: their kind, people and rules; made, changed and removed by those who may. */
export function GroupGrid() {
  const { account } = useEstablished()
  const mayEdit = useMay('editGroups')
  const [, putAddress] = useAddress()
  const { view, handleView, typed, filters, handleFilter, countInForce, showFirst } = useGridPage({
    name: 'groups',
    sorts: ['name', 'group_designation', 'user_count', 'role_name'],
    noFilters: noGroupFilters,
  })
  const [isFilterShown, setIsFilterShown] = useState(countInForce > 0)
  const selection = useSelection((one: Place) => one.uuid)
  const [edited, setEdited] = useState<{ groupId: string | undefined }>()
  const [asked, setAsked] = useState<readonly Place[]>()
  const [fault, setFault] = useState<string>()
  const answer = useQuery(groupsQuery(account.uuid, view, filters))
  const { data } = answer
  const remove = useDeleteGroups()

  const openMembers = ({ uuid }: Place) =>
    putAddress({ group: uuid, page: undefined, sort: undefined, name: undefined, type: undefined }, true)
  const handleDelete = async () => {
    if (!asked) return
    setFault(undefined)
    const results = await remove.mutateAsync(asked).catch((failure: unknown) => asked.map((one) => ({ one, failure })))
    setAsked(undefined)
    const done = results.filter((result) => !result.failure).map((result) => result.one)
    selection.select(done, false)
    if (done.length > 0) {
      putNotice(
        wordsFor(
          done,
          (name) => t('groups.deleted', { name }),
          (count) => t('groups.deletedMany', { count }),
        ),
      )
      showFirst() // the page may be there no more
    }
    const lines = results
      .filter((result) => result.failure)
      .map(({ one, failure }) => t('groups.undeleted', { name: one.name, reason: groupReason(failure) }))
    if (lines.length > 0) setFault(lines.join(' '))
  }
  return (
    <>
      <p className={style.lead}>{t('groups.lead')}</p>
      <div className={style.bar}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconFilter size={15} />}
          aria-expanded={isFilterShown}
          aria-controls="group-filter"
          onClick={() => setIsFilterShown(!isFilterShown)}
        >
          {countInForce > 0 ? t('users.filterOn', { count: countInForce }) : t('users.filter')}
        </Button>
        {mayEdit && (
          <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => setEdited({ groupId: undefined })}>
            {t('groups.add')}
          </Button>
        )}
      </div>
      {isFilterShown && <Filter filters={typed} onChange={handleFilter} />}
      {fault && <Banner tone="failed">{fault}</Banner>}
      {mayEdit && selection.keys.size > 0 && (
        <SelectionBar
          label={t('groups.bulk')}
          text={t('groups.selected', { count: selection.keys.size })}
          acts={[{ act: 'delete', text: t('users.delete') }]}
          onAct={() => setAsked(selection.rowsWith(data?.groups))}
          onClear={selection.clear}
        />
      )}
      <DataGrid
        texts={gridTexts(
          {
            label: t('groups.title'),
            failed: t('groups.failed'),
            empty: t(countInForce > 0 ? 'groups.noneFound' : 'groups.empty'),
          },
          data?.page.total,
        )}
        columns={columns()}
        rows={data?.groups}
        keyOf={(one) => one.uuid}
        nameOf={(one) => one.name}
        {...gridPaging(answer, view, handleView)}
        onOpen={openMembers}
        acts={groupRowActs({
          mayEdit,
          onMembers: openMembers,
          onEdit: (group) => setEdited({ groupId: group.uuid }),
          onDelete: (group) => setAsked([group]),
        })}
        {...(mayEdit ? { selected: selection.keys, onSelect: selection.select } : {})}
      />
      {asked && (
        <AskDialog
          title={t(asked.length === 1 ? 'groups.ask.one' : 'groups.ask.many')}
          text={wordsFor(
            asked,
            (name) => t('groups.deleteText', { name }),
            (count) => t('groups.deleteTextMany', { count }),
          )}
          act={t('users.delete')}
          isBusy={remove.isPending}
          onAct={() => void handleDelete()}
          onClose={() => setAsked(undefined)}
        />
      )}
      {edited && (
        <GroupForm
          groupId={edited.groupId}
          onSaved={(name) => {
            setEdited(undefined)
            putNotice(t('groups.saved', { name }))
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

const columns = (): GridColumn<Place>[] => [
  {
    key: 'name',
    title: t('groups.name'),
    sort: 'name',
    isName: true,
    cell: (group) => (
      <>
        {group.name}
        {group.no_share === 1 && <span className={style.mark}>{t('groups.noShareMark')}</span>}
      </>
    ),
  },
  {
    key: 'type',
    title: t('groups.type'),
    sort: 'group_designation',
    cell: (group) => t(`groups.designation.${group.group_designation}`),
  },
  { key: 'people', title: t('groups.people'), sort: 'user_count', cell: (group) => group.user_count },
  {
    key: 'role',
    title: t('groups.defaultRole'),
    sort: 'role_name',
    cell: (group) => group.role_name || t('groups.accountRole'),
  },
  {
    key: 'approval',
    title: t('groups.approval'),
    cell: (group) => t(group.must_approve === 1 ? 'groups.approvalOn' : 'groups.approvalOff'),
  },
  { key: 'code', title: t('groups.shareCode'), cell: (group) => group.share_code || '–' },
]

interface FilterProps {
  filters: GroupFilters
  onChange: (filters: GroupFilters) => void
}

function Filter({ filters, onChange }: FilterProps) {
  return (
    <form
      id="group-filter"
      className={style.filter}
      aria-label={t('groups.filterForm')}
      onSubmit={(event) => event.preventDefault()}
    >
      <TextInput
        label={t('groups.name')}
        value={filters.name}
        maxLength={200}
        autoComplete="off"
        autoFocus
        onChange={(event) => onChange({ ...filters, name: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('groups.type')}
        value={filters.type}
        data={[
          { value: '', label: t('groups.allTypes') },
          ...designations.map((one) => ({ value: one, label: t(`groups.designation.${one}`) })),
        ]}
        onChange={(event) => onChange({ ...filters, type: event.currentTarget.value })}
      />
      <Button variant="default" onClick={() => onChange(noGroupFilters)}>
        {t('users.filterClear')}
      </Button>
    </form>
  )
}
