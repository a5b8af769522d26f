import type { Order } from '@hilum/contract/calls/order'
import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { failureCode } from '../../api/api-failure.ts'
import { formatDate, formatTime } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { studyOrdersQuery } from '../../queries/study-facts.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './acts.module.css'
import panel from './exam-panel.module.css'

/** The orders that name this study's accession number, or its MRN where it has none. */
export function OrdersTab({ study }: { study: Study }) {
  const { account } = useEstablished()
  const { data: orders, error } = useQuery(studyOrdersQuery(account.uuid, study))
  return (
    <div className={panel.content}>
      <h3 className={panel.heading}>{t('orders.title')}</h3>
      {error && <Banner tone="failed">{ordersFailure(error)}</Banner>}
      {!orders && !error && <LoadingState label={t('loading')} />}
      {orders?.length === 0 && <p className={panel.note}>{t('orders.notFound')}</p>}
      {orders && orders.length > 0 && <OrderTable orders={orders} />}
    </div>
  )
}

/** ERROR-14 */
export function ordersFailure(failure: unknown): string {
  const code = failureCode(failure)
  if (code === 'NOT_PERMITTED') return t('orders.notPermitted')
  return t(code === 'NOT_FOUND' ? 'orders.noAccount' : 'orders.failed')
}

const join = (...parts: readonly (string | undefined)[]) => parts.filter(Boolean).join(', ')

function OrderTable({ orders }: { orders: readonly Partial<Order>[] }) {
  const { dateFormat } = usePreferences()
  return (
    <div className={style.tableScroll}>
      <table className={`${style.table} ${style.orders}`}>
        <thead>
          <tr>
            <th scope="col">{t('orders.order')}</th>
            <th scope="col">{t('orders.patient')}</th>
            <th scope="col">{t('orders.step')}</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.uuid}>
              <td>
                {order.order_number}
                {order.cancelled_at && <div className={style.orderNote}>{t('orders.status.CANCELLED')}</div>}
                {order.accession_number && (
                  <div className={style.orderNote}>{t('orders.accession', { number: order.accession_number })}</div>
                )}
              </td>
              <td>
                {nameText(order.patient_name)}
                {order.patientid && <div className={style.orderNote}>{t('orders.mrn', { mrn: order.patientid })}</div>}
              </td>
              <td>
                {order.sps?.map((step) => (
                  <div key={step.uuid} className={style.orderStep}>
                    {join(
                      step.modality,
                      step.scheduled_procedure_step_description || step.requested_procedure_description,
                    )}
                    <div className={style.orderNote}>
                      {join(
                        formatDate(step.scheduled_procedure_step_start_date, dateFormat),
                        formatTime(step.scheduled_procedure_step_start_time),
                      )}
                    </div>
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
