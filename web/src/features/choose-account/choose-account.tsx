import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../labels/label.ts'
import { signOut, switchAccount } from '../../session/establish-session.ts'
import { useEstablished } from '../../session/session-store.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconBuilding } from '../../ui/icons.ts'
import style from './choose-account.module.css'

/** Asks somebody of several organisations once where to begin; the choice holds for the next sign-ins too. */
export function ChooseAccount() {
  const { account, accounts, asksAccount } = useEstablished()
  const navigate = useNavigate()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), []) // the page took the place of another
  const [chosen, setChosen] = useState<string>()
  const [isFailed, setFailed] = useState(false)
  const handleChoose = async (uuid: string) => {
    setChosen(uuid)
    setFailed(false)
    try {
      await switchAccount(uuid)
      // the address that somebody came for is one of the organisation that begins
      if (uuid !== account.uuid) await navigate({ to: '/', replace: true })
    } catch {
      setChosen(undefined)
      setFailed(true)
    }
  }
  return (
    <div className={style.page}>
      <h1 ref={heading} tabIndex={-1}>
        {t('chooseAccount.title')}
      </h1>
      <p>{t('chooseAccount.lead', { count: accounts.length })}</p>
      {isFailed && <Banner tone="failed">{t('chooseAccount.failed')}</Banner>}
      <ul className={style.list}>
        {accounts.map(({ uuid, name }) => (
          <li key={uuid}>
            <Button
              variant="default"
              fullWidth
              size="md"
              justify="flex-start"
              leftSection={<IconBuilding size={16} />}
              loading={chosen === uuid}
              disabled={chosen !== undefined && chosen !== uuid}
              onClick={() => void handleChoose(uuid)}
            >
              <bdi>{name}</bdi>
              {uuid === asksAccount?.homeUuid && <span className={style.home}>{t('chooseAccount.home')}</span>}
            </Button>
          </li>
        ))}
      </ul>
      <Button variant="subtle" color="gray" size="sm" onClick={() => void signOut()}>
        {t('menu.logout')}
      </Button>
    </div>
  )
}
