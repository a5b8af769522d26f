import type { Order } from '@hilum/contract/calls/order'
import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { type DateFormat, formatDate, formatTime } from '../../../format/dates.ts'
import { refusedFieldsText } from '../../../fields/custom-field-fault.ts'
import { type LabelKey, t } from '../../../labels/label.ts'
import type { OrderText, StepText } from '../../../queries/orders.ts'

type Step = Order['sps'][number]

export const shownStatuses = ['IN_PROGRESS', 'COMPLETED', 'DISCONTINUED'] as const

/** A status by its name of today: histories and addresses of before have the word of DICOM, IN PROGRESS. */
export const todaysStatus = (status: string): string => status.replace(' ', '_')

/** How far a step is, in words; a status of another system as it stands. */
export function statusText(status: string): string {
  const known = shownStatuses.find((one) => one === todaysStatus(status))
  if (known) return t(`orders.status.${known}`)
  return status === '' || status === 'PENDING' ? t('orders.status.none') : status
}

/** How far an order is: cancelled, or as its first step. */
export function orderStatusText(order: Pick<Order, 'sps' | 'cancelled_at'>): string {
  if (order.cancelled_at) return t('orders.status.CANCELLED')
  const step = firstStep(order)
  return step ? statusText(step.mpps_status) : t('orders.noStep')
}

/** The first step of an order, which the list shows. */
export function firstStep({ sps }: Pick<Order, 'sps'>): Step | undefined {
  return sps.find((one) => one.scheduled_procedure_step_start_date !== '') ?? sps[0]
}

export function whenText(step: Step | undefined, dateFormat: DateFormat): string {
  if (!step) return ''
  return [
    formatDate(step.scheduled_procedure_step_start_date, dateFormat),
    formatTime(step.scheduled_procedure_step_start_time),
  ]
    .filter(Boolean)
    .join(' ')
}

export function procedureText(step: Step | undefined): string {
  return step?.requested_procedure_description || step?.scheduled_procedure_step_description || ''
}

export function sourceText(source: Order['source']): string {
  return t(`orders.source.${source || 'unknown'}`)
}

export const fieldLabels = {
  patient_name: 'field.patientName',
  patientid: 'field.mrn',
  patient_birth_date: 'field.birthDate',
  patient_sex: 'field.sex',
  accession_number: 'field.accession',
  order_number: 'orders.number',
  referring_physician: 'field.referring',
  sending_facility: 'orders.facility',
  modality: 'field.modality',
  scheduled_procedure_step_start_date: 'orders.date',
  scheduled_procedure_step_start_time: 'orders.time',
  scheduled_station_aetitle: 'orders.station',
  scheduled_procedure_step_description: 'orders.stepDescription',
  requested_procedure_description: 'orders.procedure',
  scheduled_procedure_step_id: 'orders.stepId',
  requested_procedure_id: 'orders.procedureId',
} as const satisfies Record<OrderText | StepText, LabelKey>

/** Why an order was not written: beside the field that is wrong, else above the form. */
export function orderFault(failure: unknown): { field: string; text: string } {
  const code = failureCode(failure)
  const subtype = failure instanceof ApiFailure ? failure.subtype : undefined
  if (code === 'MISSING_FIELDS') return { field: 'patient_name', text: t('orders.missing') }
  if (code === 'INVALID_FIELD' && typeof subtype === 'string') return { field: subtype, text: t('orders.wrong') }
  const refused = refusedFieldsText(failure)
  if (refused) return { field: '', text: refused }
  if (code === 'NOT_PERMITTED') return { field: '', text: t('orders.mayNot') }
  if (code === 'NOT_FOUND') return { field: '', text: t('orders.gone') }
  if (code === 'ERR_NETWORK') return { field: '', text: t('users.reason.network') }
  return { field: '', text: t('orders.undone') }
}
