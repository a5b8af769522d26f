import { PageFrame } from '../features/shell/page-frame.tsx'
import { t } from '../labels/label.ts'
import { usePreferences } from '../session/preferences.ts'
import { useEstablished } from '../session/session-store.ts'
import style from './screens.module.css'

/** What is known of the login, to read. */
export function AccountSettingsScreen() {
  const { user, account } = useEstablished()
  const { dateFormat, timeZone } = usePreferences()
  const rows = [
    [t('settings.name'), user.name],
    [t('settings.email'), user.email],
    [t('settings.organisation'), account.name],
    [t('settings.timeZone'), timeZone || t('settings.noTimeZone')],
    [t('settings.dateFormat'), dateFormat],
  ]
  return (
    <PageFrame>
      <h1>{t('settings.title')}</h1>
      <p>{t('settings.lead')}</p>
      <table className={style.facts}>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </PageFrame>
  )
}
