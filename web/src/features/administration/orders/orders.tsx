import { orderList } from '@hilum/contract/calls/order'
import { t } from '../../../labels/label.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { OrderGrid } from './order-grid.tsx'
import { WaitingReports } from './waiting-reports.tsx'

/** The orders of the person's groups, for those who may see orders (PERM-16, ERROR-14). */
export function Orders() {
  const maySee = useMayCall(orderList)
  if (!maySee) return <Banner tone="failed">{t('orders.notPermitted')}</Banner>
  return (
    <>
      <OrderGrid />
      <WaitingReports />
    </>
  )
}
