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
        <>
          <PersonName user={user} />
          {user.user_id === ownId && <span className={style.mark}>{t('users.you')}</span>}
          {user.disabled === 1 && <span className={style.mark}>{t('users.disabledMark')}</span>}
        </>
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
      cell: (user) => (
        <span className={style.stamp}>{formatLastLogin(user.last_login, timeZone) || t('users.never')}</span>
      ),
    },
    { key: 'role', title: t('users.role'), sort: 'role_name', cell: (user) => user.role_name },
  ]
}
