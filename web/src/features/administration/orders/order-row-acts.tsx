import { t } from '../../../labels/label.ts'
import type { Order } from '../../../queries/orders.ts'
import { IconEdit, IconEye, IconTrash } from '../../../ui/icons.ts'
import { RowAct } from '../grid/row-act.tsx'

interface Handlers {
  mayEdit: boolean
  nameOf: (order: Order) => string
  onAct: (kind: 'details' | 'form' | 'delete', order: Order) => void
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
