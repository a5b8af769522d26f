import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import {
  type AccountUser,
  accountUsersQuery,
  noUserFilters,
  rolesQuery,
  type UserAct,
  type UserFilters,
} from '../../../queries/account-users.ts'
import { putSetting } from '../../../session/put-setting.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMay } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { DataGrid } from '../../../ui/data-grid.tsx'
import { type GridTexts, type GridView, readRows } from '../../../ui/grid-view.ts'
import { IconFilter, IconUserPlus } from '../../../ui/icons.ts'
import { ActDialog } from './act-dialog.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { usersFor } from './user-acts.ts'
import { userColumns } from './user-columns.tsx'
import { UserFilter } from './user-filter.tsx'
import { UserForm } from './user-form.tsx'
import { userRowActs } from './user-row-acts.tsx'
import { useUserActs } from './use-user-acts.ts'
import style from './users.module.css'

/** ADMIN-USERS-08: the setting of a person that keeps the rows per page. */
const rowsSetting = 'users_rows_to_display'
const filterAfterMs = 300

type Asked = { act: UserAct; one: AccountUser } | { act: UserAct; many: readonly AccountUser[] }

export function UserGrid() {
  const { account, user: own, settings } = useEstablished()
  const mayEdit = useMay('editUsers')
  const [view, setView] = useState<GridView>(() => ({
    page: 1,
    rows: readRows(settings[rowsSetting]),
    sort: { field: 'user_name', isDescending: false },
  }))
  const [typed, setTyped] = useState(noUserFilters)
  const [filters] = useDebouncedValue(typed, filterAfterMs)
  const [isFilterShown, setIsFilterShown] = useState(false)
  const [selection, setSelection] = useState<ReadonlyMap<string, AccountUser>>(new Map())
  const [asked, setAsked] = useState<Asked>()
  const [edited, setEdited] = useState<{ userId: string | undefined }>()
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(
    accountUsersQuery(account.uuid, view, filters),
  )
  const maySeeRoles = useMay('seeRoles')
  const roles = useQuery({ ...rolesQuery(account.uuid), enabled: maySeeRoles && isFilterShown })
  const acts = useUserActs(account.uuid)
  const shown = new Map(data?.users.map((one) => [one.user_id, one]))
  // as they are now where this page shows them, as they were when they were selected elsewhere
  const selected = [...selection.values()].map((one) => shown.get(one.user_id) ?? one)

  const handleView = (next: GridView) => {
    setView(next)
    if (next.rows !== view.rows) void putSetting(rowsSetting, String(next.rows)).catch(() => undefined) // the grid has it
  }
  const handleFilter = (next: UserFilters) => {
    setTyped(next)
    setView({ ...view, page: 1 })
  }
  const handleSelect = (users: readonly AccountUser[], isSelected: boolean) => {
    acts.clear()
    const next = new Map(selection)
    for (const one of users) {
      if (isSelected) next.set(one.user_id, one)
      else next.delete(one.user_id)
    }
    setSelection(next)
  }
  const handleAct = async () => {
    if (!asked) return
    const isDone = await ('one' in asked ? acts.actOnOne(asked.act, asked.one) : acts.actOnMany(asked.act, asked.many))
    setAsked(undefined)
    if (!isDone) return
    if ('many' in asked) setSelection(new Map())
    else if (asked.act === 'delete') handleSelect([asked.one], false)
    if (asked.act === 'delete') setView({ ...view, page: 1 }) // the page may be there no more
  }
  const handleSaved = (text: string) => {
    setEdited(undefined)
    putNotice(text)
  }
  const inForce = Object.values(filters).filter(Boolean).length
  return (
    <>
      <p className={style.lead}>{t('users.lead')}</p>
      <div className={style.bar}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconFilter size={15} />}
          aria-expanded={isFilterShown}
          aria-controls="user-filter"
          onClick={() => setIsFilterShown(!isFilterShown)}
        >
          {inForce > 0 ? t('users.filterOn', { count: inForce }) : t('users.filter')}
        </Button>
        {mayEdit && (
          <Button size="xs" leftSection={<IconUserPlus size={15} />} onClick={() => setEdited({ userId: undefined })}>
            {t('users.invite')}
          </Button>
        )}
      </div>
      {isFilterShown && <UserFilter filters={typed} roles={roles.data ?? []} onChange={handleFilter} />}
      {acts.message && <Banner tone={acts.message.tone}>{acts.message.text}</Banner>}
      {mayEdit && selection.size > 0 && (
        <SelectionBar
          count={selection.size}
          onAct={(act) => setAsked({ act, many: usersFor(act, selected, own.uuid) })}
          onClear={() => setSelection(new Map())}
        />
      )}
      <DataGrid
        texts={textsOf(inForce > 0, data?.page.total)}
        columns={userColumns(own.uuid, own.time_zone)}
        rows={data?.users}
        keyOf={(one) => one.user_id}
        nameOf={(one) => one.user_name}
        isDimmed={(one) => one.disabled === 1}
        view={view}
        onView={handleView}
        hasMore={data?.page.more === 1 && !isPlaceholderData}
        isBusy={isFetching && isPlaceholderData}
        failure={error}
        onRetry={() => void refetch()}
        {...(mayEdit
          ? {
              selected: new Set(selection.keys()),
              onSelect: handleSelect,
              onOpen: (one: AccountUser) => setEdited({ userId: one.user_id }),
              acts: userRowActs({
                ownId: own.uuid,
                onEdit: (one) => setEdited({ userId: one.user_id }),
                onAct: (act, one) => setAsked({ act, one }),
              }),
            }
          : {})}
      />
      {asked && (
        <ActDialog
          act={asked.act}
          target={asked}
          isBusy={acts.isBusy}
          onAct={() => void handleAct()}
          onClose={() => setAsked(undefined)}
        />
      )}
      {edited && <UserForm userId={edited.userId} onSaved={handleSaved} onClose={() => setEdited(undefined)} />}
    </>
  )
}

function textsOf(isFiltered: boolean, total: number | undefined): GridTexts {
  return {
    label: t('users.title'),
    loading: t('loading'),
    failed: t('users.failed'),
    retry: t('button.retry'),
    empty: t(isFiltered ? 'users.noneFound' : 'users.empty'),
    acts: t('users.acts'),
    selectAll: t('users.selectAll'),
    selectOne: (name) => t('users.selectOne', { name }),
    rowsPerPage: t('users.rows'),
    previous: t('users.previous'),
    next: t('users.next'),
    range: (from, to) => t('users.range', { from, to, total: total ?? to }),
  }
}
