import { roleSet } from '@hilum/contract/calls/role'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextInput } from '../../../fields/text-input.tsx'
import { formatCount } from '../../../format/file-size.ts'
import { t } from '../../../labels/label.ts'
import {
  noRoleFilters,
  type Role,
  type RoleFilters,
  rolesPageQuery,
  useDeleteRole,
} from '../../../queries/account-roles.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { AskDialog } from '../grid/ask-dialog.tsx'
import { gridTexts } from '../grid/grid-texts.ts'
import { useGridPage } from '../grid/use-grid-page.ts'
import { gridPaging } from '../grid/grid-paging.ts'
import style from '../users/users.module.css'
import { RoleForm } from './role-form.tsx'
import { RolePeople } from './role-people.tsx'
import { roleReason } from './role-reasons.ts'
import { type OpenedRoleAct, roleRowActs } from './role-row-acts.tsx'

/** The roles of an account: where each is given and how many have it; made, copied, changed and removed by those who may. */
export function RoleGrid() {
  const { account } = useEstablished()
  const mayEdit = useMayCall(roleSet)
  const { view, handleView, typed, filters, handleFilter, showFirst } = useGridPage<RoleFilters>({
    name: 'roles',
    sorts: ['name', 'description', 'user_count'],
    noFilters: noRoleFilters,
  })
  const [opened, setOpened] = useState<OpenedRoleAct>()
  const [fault, setFault] = useState<string>()
  const answer = useQuery(rolesPageQuery(account.uuid, view, filters))
  const { data } = answer
  const remove = useDeleteRole()
  const close = () => setOpened(undefined)
  const handleDelete = ({ uuid, name }: Role) => {
    setFault(undefined)
    remove.mutate(uuid, {
      onSuccess: () => {
        putNotice(t('roles.deleted', { name }))
        showFirst() // the page may be there no more
      },
      onError: (failure) => setFault(t('roles.undeleted', { name, reason: roleReason(failure) })),
      onSettled: close,
    })
  }
  return (
    <>
      <p className={style.lead}>{t('roles.lead')}</p>
      <div className={style.bar}>
        <TextInput
          size="xs"
          aria-label={t('roles.find')}
          placeholder={t('roles.find')}
          value={typed.name}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => handleFilter({ name: event.currentTarget.value })}
        />
        {mayEdit && (
          <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => setOpened({ kind: 'form' })}>
            {t('roles.add')}
          </Button>
        )}
      </div>
      {fault && <Banner tone="failed">{fault}</Banner>}
      <DataGrid
        texts={gridTexts(
          {
            label: t('roles.title'),
            failed: t('roles.failed'),
            empty: t(filters.name ? 'roles.noneFound' : 'roles.empty'),
          },
          data?.page.total,
        )}
        columns={columns()}
        rows={data?.roles}
        keyOf={(one) => one.uuid}
        nameOf={(one) => one.name}
        {...gridPaging(answer, view, handleView)}
        onOpen={(role) => setOpened(mayEdit ? { kind: 'form', roleId: role.uuid } : { kind: 'people', role })}
        acts={roleRowActs(mayEdit, setOpened)}
      />
      {opened?.kind === 'people' && <RolePeople role={opened.role} onClose={close} />}
      {opened?.kind === 'delete' && (
        <AskDialog
          title={t('roles.ask')}
          text={t('roles.text', { name: opened.role.name })}
          act={t('users.delete')}
          isBusy={remove.isPending}
          onAct={() => handleDelete(opened.role)}
          onClose={close}
        />
      )}
      {opened?.kind === 'form' && (
        <RoleForm
          roleId={opened.roleId}
          isCopy={opened.isCopy ?? false}
          onSaved={(name) => {
            close()
            putNotice(t('roles.saved', { name }))
          }}
          onClose={close}
        />
      )}
    </>
  )
}

function columns(): GridColumn<Role>[] {
  return [
    {
      key: 'name',
      title: t('roles.name'),
      sort: 'name',
      isName: true,
      cell: (role) => (
        <>
          {role.name}
          {role.type !== '' && <span className={style.mark}>{t('roles.systemMark')}</span>}
        </>
      ),
    },
    { key: 'description', title: t('roles.description'), sort: 'description', cell: (role) => role.description },
    { key: 'for', title: t('roles.for'), cell: placesOf },
    { key: 'people', title: t('roles.people'), sort: 'user_count', cell: (role) => formatCount(role.user_count) },
  ]
}

function placesOf(role: Role): string {
  return [
    role.for_account === 1 ? t('roles.forAccount') : '',
    role.for_group === 1 ? t('roles.forGroup') : '',
    role.for_location === 1 ? t('roles.forLocation') : '',
  ]
    .filter(Boolean)
    .join(', ')
}
