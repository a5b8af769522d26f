import { accountUserHoldings } from '@hilum/contract/calls/account-leaver'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../../../labels/label.ts'
import { holdingsQuery } from '../../../../queries/leavers.ts'
import { useEstablished } from '../../../../session/session-store.ts'
import { useMayCall } from '../../../../session/use-may.ts'
import { Banner } from '../../../../ui/banner.tsx'
import { heldText } from './held-text.ts'

/** Before somebody is disabled or deleted: what the person holds, and the rules that share with them, where there are any. */
export function HeldLine({ userId, name }: { userId: string; name: string }) {
  const { account } = useEstablished()
  const maySee = useMayCall(accountUserHoldings)
  const { data } = useQuery({ ...holdingsQuery(account.uuid, userId), enabled: maySee })
  if (!data) return undefined
  return (
    <>
      {data.holdings.length > 0 && (
        <Banner tone="info">{t('leavers.holds', { name, things: heldText(data.holdings) })}</Banner>
      )}
      {data.routes.length > 0 && (
        <Banner tone="info">{t('leavers.routes', { name, names: data.routes.join(', ') })}</Banner>
      )}
    </>
  )
}
