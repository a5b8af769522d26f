import { Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../labels/label.ts'
import { shortcutsKey, useHasShortcuts, usePreferences } from '../../session/preferences.ts'
import { putSetting } from '../../session/put-setting.ts'
import { useEstablished } from '../../session/session-store.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './account.module.css'

/** The facts of the login, to read. */
export function AccountFacts() {
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
    <>
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
      <KeySwitch />
    </>
  )
}

/** WCAG 2.1.4: keys that act by themselves can be switched off. */
function KeySwitch() {
  const isOn = useHasShortcuts()
  // Held here, so that the box turns with the click and not with the answer.
  const [wanted, setWanted] = useState<boolean>()
  const { mutate, isError } = useMutation({
    mutationFn: (isWanted: boolean) => putSetting(shortcutsKey, isWanted ? '1' : '0'),
    onSettled: (_reply, _failure, settled) => setWanted((now) => (now === settled ? undefined : now)),
  })
  return (
    <>
      <h2 className={style.subheading}>{t('settings.keys')}</h2>
      <Checkbox
        label={t('settings.keysOn')}
        description={t('settings.keysText')}
        checked={wanted ?? isOn}
        onChange={(event) => {
          setWanted(event.currentTarget.checked)
          mutate(event.currentTarget.checked)
        }}
      />
      {isError && <Banner tone="failed">{t('settings.keysFailed')}</Banner>}
    </>
  )
}
