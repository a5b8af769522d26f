import { accountUserHoldings } from '@hilum/contract/calls/account-leaver'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../../../labels/label.ts'
import { holdingsQuery } from '../../../../queries/leavers.ts'
import { useEstablished } from '../../../../session/session-store.ts'
import { useMayCall } from '../../../../session/use-may.ts'
import { Banner } from '../../../../ui/banner.tsx'
import { heldText } from './held-text.ts'

/** Before somebody is disabled or deleted: what the person holds, where there is anything. */
export function HeldLine({ userId, name }: { userId: string; name: string }) {
  const { account } = useEstablished()
  const maySee = useMayCall(accountUserHoldings)
  const { data } = useQuery({ ...holdingsQuery(account.uuid, userId), enabled: maySee })
  if (!data || data.holdings.length === 0) return undefined
  return <Banner tone="info">{t('leavers.holds', { name, things: heldText(data.holdings) })}</Banner>
}
