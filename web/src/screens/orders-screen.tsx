import { Orders } from '../features/administration/orders/orders.tsx'
import { PageFrame } from '../features/shell/page-frame.tsx'
import { t } from '../labels/label.ts'

/** The orders of the person's groups. */
export function OrdersScreen() {
  return (
    <PageFrame isBroad>
      <h1>{t('orders.title')}</h1>
      <Orders />
    </PageFrame>
  )
}
