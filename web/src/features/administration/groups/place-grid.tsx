import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextInput } from '../../../fields/text-input.tsx'
import { formatCount } from '../../../format/file-size.ts'
import { t } from '../../../labels/label.ts'
import {
  noPlaceFilters,
  type Place,
  type PlaceFilters,
  type PlaceKinds,
  placesQuery,
  useDeletePlaces,
} from '../../../queries/account-groups.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { useAddress } from '../../../ui/use-address.ts'
import { AskDialog } from '../grid/ask-dialog.tsx'
import { ChosenNames } from '../grid/chosen-names.tsx'
import { FilterButton, filterTexts, GridFilter } from '../grid/grid-filter.tsx'
import { gridTexts } from '../grid/grid-texts.ts'
import { wordsFor } from '../grid/words-for.ts'
import { useGridPage } from '../grid/use-grid-page.ts'
import { useSelection } from '../grid/use-selection.ts'
import { gridPaging } from '../grid/grid-paging.ts'
import { SelectionBar } from '../grid/selection-bar.tsx'
import style from '../users/users.module.css'
import { PlaceForm } from './place-form.tsx'
import { designationsOf, placeParameters, setCalls } from './place-kinds.ts'
import { placeReason } from './place-reasons.ts'
import { placeRowActs } from './place-row-acts.tsx'

/** The groups or locations of an account: their kind, people and rules; made, changed and removed by those who may. */
export function PlaceGrid({ of }: { of: PlaceKinds }) {
  const { account } = useEstablished()
  const mayEdit = useMayCall(setCalls[of])
  const [, putAddress] = useAddress()
  const { view, handleView, typed, filters, handleFilter, countInForce, showFirst } = useGridPage({
    name: of,
    sorts: ['name', 'group_designation', 'user_count', 'role_name'],
    noFilters: noPlaceFilters,
  })
  const [isFilterShown, setIsFilterShown] = useState(countInForce > 0)
  const selection = useSelection((one: Place) => one.uuid)
  const [edited, setEdited] = useState<{ placeId: string | undefined; isCopy: boolean }>()
  const [asked, setAsked] = useState<readonly Place[]>()
  const [fault, setFault] = useState<string>()
  const answer = useQuery(placesQuery(of, account.uuid, view, filters))
  const { data } = answer
  const remove = useDeletePlaces(of)

  const openMembers = ({ uuid }: Place) =>
    putAddress(
      { [placeParameters[of]]: uuid, page: undefined, sort: undefined, name: undefined, type: undefined },
      true,
    )
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
          (count) => t(`${of}.deletedMany`, { count }),
        ),
      )
      showFirst() // the page may be there no more
    }
    const lines = results
      .filter((result) => result.failure)
      .map(({ one, failure }) => t('groups.undeleted', { name: one.name, reason: placeReason(of, failure) }))
    if (lines.length > 0) setFault(lines.join(' '))
  }
  return (
    <>
      <p className={style.lead}>{t(`${of}.lead`)}</p>
      <div className={style.bar}>
        <FilterButton
          filter="place-filter"
          isShown={isFilterShown}
          count={countInForce}
          onToggle={() => setIsFilterShown(!isFilterShown)}
        />
        {mayEdit && (
          <Button
            size="xs"
            leftSection={<IconPlus size={15} />}
            onClick={() => setEdited({ placeId: undefined, isCopy: false })}
          >
            {t(`${of}.add`)}
          </Button>
        )}
      </div>
      {isFilterShown && <Filter of={of} filters={typed} onChange={handleFilter} />}
      {fault && <Banner tone="failed">{fault}</Banner>}
      {mayEdit && selection.keys.size > 0 && (
        <SelectionBar
          label={t(`${of}.bulk`)}
          text={t(`${of}.selected`, { count: selection.keys.size })}
          acts={[{ act: 'delete', text: t('users.delete') }]}
          onAct={() => setAsked(selection.rowsWith(data?.rows))}
          onClear={selection.clear}
        />
      )}
      <DataGrid
        texts={gridTexts(
          {
            label: t(`${of}.title`),
            failed: t(`${of}.failed`),
            empty: t(countInForce > 0 ? `${of}.noneFound` : `${of}.empty`),
          },
          data?.page.total,
        )}
        columns={columns(of)}
        rows={data?.rows}
        keyOf={(one) => one.uuid}
        nameOf={(one) => one.name}
        {...gridPaging(answer, view, handleView)}
        onOpen={openMembers}
        acts={placeRowActs({
          mayEdit,
          onMembers: openMembers,
          onEdit: (place) => setEdited({ placeId: place.uuid, isCopy: false }),
          onCopy: (place) => setEdited({ placeId: place.uuid, isCopy: true }),
          onDelete: (place) => setAsked([place]),
        })}
        {...(mayEdit ? { selected: selection.keys, onSelect: selection.select } : {})}
      />
      {asked && (
        <AskDialog
          title={t(asked.length === 1 ? `${of}.ask.one` : `${of}.ask.many`)}
          text={wordsFor(
            asked,
            (name) => t('groups.deleteText', { name }),
            (count) => t(`${of}.deleteTextMany`, { count }),
          )}
          act={t('users.delete')}
          isBusy={remove.isPending}
          onAct={() => void handleDelete()}
          onClose={() => setAsked(undefined)}
        >
          {asked.length > 1 && (
            <ChosenNames
              label={t('grid.chosen')}
              ones={asked.map((one) => ({ key: one.uuid, name: one.name }))}
              shown={new Set(data?.rows.map((one) => one.uuid))}
            />
          )}
        </AskDialog>
      )}
      {edited && (
        <PlaceForm
          of={of}
          placeId={edited.placeId}
          isCopy={edited.isCopy}
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

const columns = (of: PlaceKinds): GridColumn<Place>[] => [
  {
    key: 'name',
    title: t(`${of}.name`),
    sort: 'name',
    isName: true,
    cell: (place) => (
      <>
        {place.name}
        {place.no_share === 1 && <span className={style.mark}>{t('groups.noShareMark')}</span>}
      </>
    ),
  },
  {
    key: 'type',
    title: t('groups.type'),
    sort: 'group_designation',
    cell: (place) => t(`groups.designation.${place.group_designation}`),
  },
  { key: 'people', title: t('groups.people'), sort: 'user_count', cell: (place) => formatCount(place.user_count) },
  {
    key: 'role',
    title: t('groups.defaultRole'),
    sort: 'role_name',
    cell: (place) => place.role_name || t('groups.accountRole'),
  },
  {
    key: 'approval',
    title: t('groups.approval'),
    cell: (place) => t(place.must_approve === 1 ? 'groups.approvalOn' : 'groups.approvalOff'),
  },
  { key: 'code', title: t('groups.shareCode'), cell: (place) => place.share_code || '–' },
]

interface FilterProps {
  of: PlaceKinds
  filters: PlaceFilters
  onChange: (filters: PlaceFilters) => void
}

function Filter({ of, filters, onChange }: FilterProps) {
  const text = filterTexts(filters, onChange)
  return (
    <GridFilter id="place-filter" label={t(`${of}.filterForm`)} onClear={() => onChange(noPlaceFilters)}>
      <TextInput {...text('name', t(`${of}.name`))} autoFocus />
      <NativeSelect
        label={t('groups.type')}
        value={filters.type}
        data={[
          { value: '', label: t('groups.allTypes') },
          ...designationsOf(of).map((one) => ({ value: one, label: t(`groups.designation.${one}`) })),
        ]}
        onChange={(event) => onChange({ ...filters, type: event.currentTarget.value })}
      />
    </GridFilter>
  )
}
