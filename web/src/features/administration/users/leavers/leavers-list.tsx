import { accountUserLeavers } from '@hilum/contract/calls/account-leaver'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../../../labels/label.ts'
import { leaversQuery } from '../../../../queries/leavers.ts'
import { useEstablished } from '../../../../session/session-store.ts'
import { useMayCall } from '../../../../session/use-may.ts'
import { FailedBanner } from '../../../../ui/failed-banner.tsx'
import { useAddress } from '../../../../ui/use-address.ts'
import { heldText } from './held-text.ts'
import style from './leavers.module.css'

/** People who left things behind, above the users; nothing where there are none. */
export function LeaversList() {
  const { account } = useEstablished()
  const maySee = useMayCall(accountUserLeavers)
  const [, putAddress] = useAddress()
  const { data, isLoadingError, isFetching, refetch } = useQuery({ ...leaversQuery(account.uuid), enabled: maySee })
  if (isLoadingError) {
    return (
      <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
        {t('leavers.failed')}
      </FailedBanner>
    )
  }
  if (!data || data.length === 0) return undefined
  return (
    <section className={style.list} aria-labelledby="leavers">
      <h3 id="leavers">{t('leavers.title')}</h3>
      <p>{t('leavers.lead', { count: data.length })}</p>
      <ul>
        {data.map(({ user_id: userId, user_name: name, holdings }) => (
          <li key={userId}>
            <span>
              <strong>{name}</strong> {heldText(holdings)}
            </span>
            <Button
              variant="default"
              size="xs"
              aria-label={t('leavers.open', { name })}
              onClick={() => putAddress({ leaver: userId }, true)}
            >
              {t('leavers.handOver')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
