import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import type { Study } from '@hilum/contract/entities/study'
import { formatDate, formatStamp } from '../../../format/dates.ts'
import { nameText } from '../../../format/person-name.ts'
import { t } from '../../../labels/label.ts'
import {
  type Order,
  type OrderEvent,
  orderHistoryQuery,
  orderStudiesQuery,
  orderTexts,
  stepTexts,
} from '../../../queries/orders.ts'
import { namespacesQuery } from '../../../queries/namespaces.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { fieldLabels, procedureText, sourceText, statusText, whenText } from './order-words.ts'
import own from './orders.module.css'

/** All that is known of an order: its steps, the exams that fit it, its history and the messages that wrote it. */
export function OrderDetails({ order, onClose }: { order: Order; onClose: () => void }) {
  const { account } = useEstablished()
  const { dateFormat, timeZone } = usePreferences()
  const { data: inboxes } = useQuery(namespacesQuery(account.uuid))
  const group = inboxes?.find((one) => one.namespaceId === order.namespace_id)?.name ?? ''
  const shown = (field: (typeof orderTexts)[number]) => {
    if (field === 'patient_birth_date') return formatDate(order[field], dateFormat)
    return field === 'patient_name' || field === 'referring_physician' ? nameText(order[field]) : order[field]
  }
  return (
    <Dialog title={nameText(order.patient_name) || t('card.noName')} closeLabel={t('button.close')} onClose={onClose}>
      <dl className={own.facts}>
        {orderTexts.map((field) => (
          <Fact key={field} name={t(fieldLabels[field])} value={shown(field)} />
        ))}
        <Fact name={t('orders.group')} value={group || t('orders.noGroup')} />
        <Fact name={t('orders.sourceTitle')} value={sourceText(order.source)} />
        {order.cancelled_at && (
          <Fact name={t('orders.status.CANCELLED')} value={formatStamp(order.cancelled_at, dateFormat, timeZone)} />
        )}
        <Fact name={t('process.orderCreated')} value={formatStamp(order.created, dateFormat, timeZone)} />
        {order.customfields
          .filter((one) => one.value !== '')
          .map((one) => (
            <Fact key={one.uuid} name={one.name} value={one.value} />
          ))}
      </dl>
      <h3 className={own.part}>{t('orders.steps')}</h3>
      {order.sps.length === 0 && <p className={own.note}>{t('orders.noStep')}</p>}
      <ul className={own.lines}>
        {order.sps.map((step) => (
          <li key={step.uuid}>
            {[whenText(step, dateFormat), step.modality, procedureText(step), step.scheduled_station_aetitle]
              .filter(Boolean)
              .join(' · ')}
            <div className={own.note}>{statusText(step.mpps_status)}</div>
          </li>
        ))}
      </ul>
      <h3 className={own.part}>{t('orders.exams')}</h3>
      <Exams order={order} />
      <h3 className={own.part}>{t('orders.history')}</h3>
      <History order={order} />
    </Dialog>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value || '–'}</dd>
    </>
  )
}

function Exams({ order }: { order: Order }) {
  const { data, isLoadingError, isLoading } = useQuery(orderStudiesQuery(order))
  if (isLoadingError) return <Banner tone="failed">{t('orders.examsFailed')}</Banner>
  if (isLoading) return <LoadingState label={t('loading')} />
  const { belonging = [], others = [] } = data ?? {}
  return (
    <>
      <p className={own.note}>{t(belonging.length > 0 ? 'orders.belonging' : 'orders.noExams')}</p>
      <ExamLinks exams={belonging} />
      {others.length > 0 && (
        <>
          <h3 className={own.part}>{t('orders.alike')}</h3>
          <p className={own.note}>{t(order.accession_number ? 'orders.byAccession' : 'orders.byMrn')}</p>
          <ExamLinks exams={others} />
        </>
      )}
    </>
  )
}

function ExamLinks({ exams }: { exams: readonly Partial<Study>[] }) {
  const { account } = useEstablished()
  const { data: inboxes = [] } = useQuery(namespacesQuery(account.uuid))
  const { dateFormat } = usePreferences()
  const placeOf = (study: Partial<Study>) => inboxes.find((one) => one.namespaceId === study.phi_namespace)
  return (
    <ul className={own.lines}>
      {exams.map((study) => {
        const place = placeOf(study)
        const text = [
          nameText(study.patient_name) || t('card.noName'),
          formatDate(study.study_date, dateFormat),
          study.modality,
          study.study_description,
        ]
          .filter(Boolean)
          .join(' · ')
        return (
          <li key={study.uuid}>
            {place ? (
              <Link
                to="/group/$groupId/{-$state}"
                params={{ groupId: place.id, state: undefined }}
                search={{ study: study.uuid }}
              >
                {text}
              </Link>
            ) : (
              text
            )}
            <div className={own.note}>{study.phi_namespace_name}</div>
          </li>
        )
      })}
    </ul>
  )
}

function History({ order }: { order: Order }) {
  const { data, isLoadingError } = useQuery(orderHistoryQuery(order.uuid))
  const { dateFormat, timeZone } = usePreferences()
  if (isLoadingError) return <Banner tone="failed">{t('orders.historyFailed')}</Banner>
  if (!data) return <LoadingState label={t('loading')} />
  if (data.length === 0) return <p className={own.note}>{t('orders.noHistory')}</p>
  return (
    <ul className={own.lines}>
      {data.map((event) => (
        <li key={event.uuid}>
          {actText(event)} · {formatStamp(event.when, dateFormat, timeZone)}
          <div className={own.note}>{byText(event)}</div>
          {changesOf(event).map((line) => (
            <div key={line} className={own.note}>
              {line}
            </div>
          ))}
        </li>
      ))}
    </ul>
  )
}

function actText({ action, detail }: OrderEvent): string {
  if (action === 'ADD') return t('orders.entered')
  if ('is_cancelled' in detail) return t(wasCancelled(detail) ? 'orders.wasCancelled' : 'orders.wasRevived')
  if ('step_added' in detail) return t('orders.stepAdded')
  if ('step_deleted' in detail) return t('orders.stepDeleted')
  return t('orders.changed')
}

function wasCancelled({ is_cancelled: change }: OrderEvent['detail']): boolean {
  return Array.isArray(change) && change[1] === true
}

function byText({ who, message }: OrderEvent): string {
  if (message) return t('orders.byMessage', { type: message.type, sender: message.sender, id: message.control_id })
  return who ? t('orders.byPerson', { who }) : t('orders.bySystem')
}

const named: readonly string[] = [...orderTexts, ...stepTexts]

function changesOf({ action, detail }: OrderEvent): string[] {
  if (action !== 'EDIT') return []
  return Object.entries(detail).flatMap(([field, change]) => {
    if (!Array.isArray(change) || change.length !== 2) return []
    const [before, after] = change.map((one) => (typeof one === 'string' && one !== '' ? one : '–'))
    if (field === 'mpps_status') return [t('orders.statusNow', { status: statusText(String(change[1])) })]
    if (!named.includes(field)) return []
    const label = t(fieldLabels[field as keyof typeof fieldLabels]) // one of the names above
    return [t('orders.changedField', { field: label, before: before ?? '–', after: after ?? '–' })]
  })
}
