import { accountUserSet } from '@hilum/contract/calls/account-user'
import { roleList } from '@hilum/contract/calls/role'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import {
  type AccountUser,
  accountUsersQuery,
  noUserFilters,
  rolesQuery,
  type UserAct,
} from '../../../queries/account-users.ts'
import { OffForSupport } from '../../../session/off-for-support.tsx'
import { useEstablished } from '../../../session/session-store.ts'
import { useIsSupportSession, useMayCall } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { DataGrid } from '../../../ui/data-grid.tsx'
import { IconUserPlus } from '../../../ui/icons.ts'
import { FilterButton } from '../grid/grid-filter.tsx'
import { gridTexts } from '../grid/grid-texts.ts'
import { useGridPage } from '../grid/use-grid-page.ts'
import { useSelection } from '../grid/use-selection.ts'
import { ActDialog } from './act-dialog.tsx'
import { LeaversList } from './leavers/leavers-list.tsx'
import { usersFor } from './user-acts.ts'
import { userColumns } from './user-columns.tsx'
import { UserCsv } from './user-csv.tsx'
import { UserFilter } from './user-filter.tsx'
import { UserForm } from './user-form.tsx'
import { userRowActs } from './user-row-acts.tsx'
import { useUserActs } from './use-user-acts.ts'
import { gridPaging } from '../grid/grid-paging.ts'
import { SelectionBar } from '../grid/selection-bar.tsx'
import style from './users.module.css'

const bulkActs = ['enable', 'disable', 'delete'] as const

type Asked = { act: UserAct; one: AccountUser } | { act: UserAct; many: readonly AccountUser[]; leftOut: number }

export function UserGrid() {
  const { account, user: own } = useEstablished()
  const isOfSupport = useIsSupportSession()
  const mayEdit = useMayCall(accountUserSet) && !isOfSupport
  const { view, handleView, typed, filters, handleFilter, countInForce, showFirst } = useGridPage({
    name: 'users',
    sorts: ['user_name', 'user_email', 'last_login', 'role_name'],
    noFilters: noUserFilters,
  })
  const [isFilterShown, setIsFilterShown] = useState(countInForce > 0)
  const selection = useSelection((one: AccountUser) => one.user_id)
  const [asked, setAsked] = useState<Asked>()
  const [edited, setEdited] = useState<{ userId: string | undefined }>()
  const answer = useQuery(accountUsersQuery(account.uuid, view, filters))
  const { data } = answer
  const maySeeRoles = useMayCall(roleList)
  const roles = useQuery({ ...rolesQuery(account.uuid), enabled: maySeeRoles && isFilterShown })
  const acts = useUserActs(account.uuid)
  const selected = selection.rowsWith(data?.users)

  const handleSelect = (users: readonly AccountUser[], isSelected: boolean) => {
    acts.clear()
    selection.select(users, isSelected)
  }
  const handleAct = async () => {
    if (!asked) return
    const isDone = await ('one' in asked ? acts.actOnOne(asked.act, asked.one) : acts.actOnMany(asked.act, asked.many))
    setAsked(undefined)
    if (!isDone) return
    if ('many' in asked) selection.clear()
    else if (asked.act === 'delete') handleSelect([asked.one], false)
    if (asked.act === 'delete') showFirst() // the page may be there no more
  }
  const handleSaved = (text: string) => {
    setEdited(undefined)
    putNotice(text)
  }
  return (
    <>
      <p className={style.lead}>{t('users.lead')}</p>
      <OffForSupport reason="offForSupport.people" />
      <LeaversList />
      <div className={style.bar}>
        <FilterButton
          filter="user-filter"
          isShown={isFilterShown}
          count={countInForce}
          onToggle={() => setIsFilterShown(!isFilterShown)}
        />
        <UserCsv accountId={account.uuid} sort={view.sort} filters={filters} />
        {mayEdit && (
          <Button size="xs" leftSection={<IconUserPlus size={15} />} onClick={() => setEdited({ userId: undefined })}>
            {t('users.invite')}
          </Button>
        )}
      </div>
      {isFilterShown && <UserFilter filters={typed} roles={roles.data ?? []} onChange={handleFilter} />}
      {acts.message && <Banner tone={acts.message.tone}>{acts.message.text}</Banner>}
      {mayEdit && selection.keys.size > 0 && (
        <SelectionBar
          label={t('users.bulk')}
          text={t('users.selected', { count: selection.keys.size })}
          acts={bulkActs.map((act) => ({ act, text: t(`users.${act}`) }))}
          onAct={(act) => {
            const many = usersFor(act, selected, own.uuid)
            setAsked({ act, many, leftOut: selected.length - many.length })
          }}
          onClear={selection.clear}
        />
      )}
      <DataGrid
        texts={gridTexts(
          {
            label: t('users.title'),
            failed: t('users.failed'),
            empty: t(countInForce > 0 ? 'users.noneFound' : 'users.empty'),
          },
          data?.page.total,
        )}
        columns={userColumns(own.uuid, own.time_zone)}
        rows={data?.users}
        keyOf={(one) => one.user_id}
        nameOf={(one) => one.user_name}
        isDimmed={(one) => one.disabled === 1}
        {...gridPaging(answer, view, handleView)}
        {...(mayEdit
          ? {
              selected: selection.keys,
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
          shown={new Set(data?.users.map((one) => one.user_id))}
          isBusy={acts.isBusy}
          onAct={() => void handleAct()}
          onClose={() => setAsked(undefined)}
        />
      )}
      {edited && <UserForm userId={edited.userId} onSaved={handleSaved} onClose={() => setEdited(undefined)} />}
    </>
  )
}
