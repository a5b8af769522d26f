import { t } from '../../../labels/label.ts'
import type { Order } from '../../../queries/orders.ts'
import { IconBan, IconEdit, IconEye, IconRestore, IconTrash } from '../../../ui/icons.ts'
import { RowAct } from '../grid/row-act.tsx'

export type OrderAct = 'details' | 'form' | 'cancel' | 'revive' | 'delete'

interface Handlers {
  mayEdit: boolean
  nameOf: (order: Order) => string
  onAct: (kind: OrderAct, order: Order) => void
}

/** The buttons of an order. */
export function orderRowActs({ mayEdit, nameOf, onAct }: Handlers) {
  return (order: Order, tabIndex: 0 | -1) => {
    const name = nameOf(order)
    return (
      <>
        <RowAct
          tabIndex={tabIndex}
          label={t('orders.detailsOne', { name })}
          icon={IconEye}
          onAct={() => onAct('details', order)}
        />
        {mayEdit && (
          <>
            <RowAct
              tabIndex={tabIndex}
              label={t('users.editOne', { name })}
              icon={IconEdit}
              onAct={() => onAct('form', order)}
            />
            <RowAct
              tabIndex={tabIndex}
              label={t(order.cancelled_at ? 'orders.reviveOne' : 'orders.cancelOne', { name })}
              icon={order.cancelled_at ? IconRestore : IconBan}
              onAct={() => onAct(order.cancelled_at ? 'revive' : 'cancel', order)}
            />
            <RowAct
              tabIndex={tabIndex}
              label={t('users.deleteOne', { name })}
              icon={IconTrash}
              onAct={() => onAct('delete', order)}
            />
          </>
        )}
      </>
    )
  }
}
