import { useQuery } from '@tanstack/react-query'
import { t } from '../../../labels/label.ts'
import { type Role, type RolePerson, roleQuery, roleUsersQuery } from '../../../queries/account-roles.ts'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { gridTexts } from '../grid/grid-texts.ts'
import { gridPaging } from '../grid/grid-paging.ts'
import { useGridView } from '../grid/use-stored-rows.ts'
import { PersonName } from '../users/person-name.tsx'
import style from '../users/users.module.css'

/** The people who have a role, each with the place in which they have it, and the places whose default it is. */
export function RolePeople({ role, onClose }: { role: Role; onClose: () => void }) {
  const [view, setView] = useGridView('role_people', 'user_name')
  const answer = useQuery(roleUsersQuery(role.uuid, view))
  const { data } = answer
  const whole = useQuery(roleQuery(role.uuid))
  const defaults = whole.data?.default_of ?? []
  return (
    <Dialog title={t('roles.whoTitle', { name: role.name })} closeLabel={t('button.close')} onClose={onClose}>
      {defaults.length > 0 && (
        <p className={style.hint}>{t('roles.defaultOf', { places: defaults.map((one) => one.name).join(', ') })}</p>
      )}
      <DataGrid
        texts={gridTexts(
          { label: t('roles.whoTitle', { name: role.name }), failed: t('roles.whoFailed'), empty: t('roles.whoEmpty') },
          data?.page.total,
        )}
        columns={columns()}
        rows={data?.users}
        keyOf={(one) => `${one.user_id} ${one.place_id}`}
        nameOf={(one) => one.user_name}
        isDimmed={(one) => one.disabled === 1}
        {...gridPaging(answer, view, setView)}
      />
    </Dialog>
  )
}

function columns(): GridColumn<RolePerson>[] {
  return [
    {
      key: 'name',
      title: t('users.name'),
      sort: 'user_name',
      isName: true,
      cell: (one) => <PersonName user={one} />,
    },
    { key: 'place', title: t('roles.whoPlace'), sort: 'place_name', cell: (one) => one.place_name },
  ]
}
