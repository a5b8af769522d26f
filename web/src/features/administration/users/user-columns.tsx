import { formatLastLogin } from '../../../format/dates.ts'
import { t } from '../../../labels/label.ts'
import type { AccountUser } from '../../../queries/account-users.ts'
import type { GridColumn } from '../../../ui/data-grid.tsx'
import { PersonName } from './person-name.tsx'
import { EmailText } from '../../../ui/email-text.tsx'
import style from './users.module.css'

/** ADMIN-USERS-03 */
export function userColumns(ownId: string, timeZone: string): GridColumn<AccountUser>[] {
  return [
    {
      key: 'name',
      title: t('users.name'),
      sort: 'user_name',
      isName: true,
      cell: (user) => (
        <span className={style.named}>
          <PersonName user={user} />
          {user.user_id === ownId && <span className={style.mark}>{t('users.you')}</span>}
          {user.disabled === 1 && <span className={style.mark}>{t('users.disabledMark')}</span>}
        </span>
      ),
    },
    {
      key: 'email',
      title: t('users.email'),
      sort: 'user_email',
      cell: (user) => <EmailText>{user.user_email}</EmailText>,
    },
    {
      key: 'login',
      title: t('users.lastLogin'),
      sort: 'last_login',
      cell: (user) => <LastLogin stamp={user.last_login} timeZone={timeZone} />,
    },
    { key: 'role', title: t('users.role'), sort: 'role_name', cell: (user) => user.role_name },
  ]
}

function LastLogin({ stamp, timeZone }: { stamp: string | null; timeZone: string }) {
  const [day = '', ...time] = formatLastLogin(stamp, timeZone).split(' ')
  if (!day) return t('users.never')
  return (
    <span className={`${style.stamp} ${style.parted}`}>
      <span>{day}</span> <span>{time.join(' ')}</span>
    </span>
  )
}
