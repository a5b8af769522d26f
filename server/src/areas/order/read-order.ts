import { ApiError } from '@hilum/contract/errors'
import { authorityOf, type OwnNames } from '@hilum/dicom/authority'
import { normaliseDate } from '@hilum/dicom/dates'
import { foldId } from '@hilum/dicom/fold-id'
import { foldText } from '@hilum/dicom/person-name'
import { isAeTitle } from '@hilum/dicom/dimse/ae-title'
import { readEditText, readIssuer } from '../altered/study-edit.ts'
import type { StoredOrder, StoredStep } from './order-write.sql.ts'

type Sent = Readonly<Record<string, unknown>>

const orderTexts = [
  'order_number',
  'accession_number',
  'patientid',
  'patient_name',
  'referring_physician',
  'sending_facility',
] as const
const stepTexts = [
  'scheduled_procedure_step_id',
  'requested_procedure_id',
  'requested_procedure_description',
  'scheduled_procedure_step_description',
] as const

/**
 * An order with what was sent; everything else stays. Dates in any common form are kept as YYYYMMDD.
 * @throws ApiError INVALID_FIELD naming the field, MISSING_FIELDS for an order of nobody
 */
export function readOrder(before: StoredOrder, sent: Sent): StoredOrder {
  const after = { ...before }
  for (const field of orderTexts) after[field] = textOf(sent, field) ?? before[field]
  after.patient_birth_date = dateOf(sent, 'patient_birth_date') ?? before.patient_birth_date
  const sex = textOf(sent, 'patient_sex')?.toUpperCase()
  if (sex !== undefined && !['', 'M', 'F', 'O'].includes(sex)) throw wrong('patient_sex')
  after.patient_sex = sex ?? before.patient_sex
  after.search = foldText(after.patient_name)
  if (after.patient_name === '' && after.patientid === '') {
    throw new ApiError('MISSING_FIELDS', { subtype: ['patient_name', 'patientid'] })
  }
  return after
}

/**
 * The assigning authority of an order's number as a person or a program writes it. Where nothing is said of it, the number
 * that stood there keeps its own, and another one is the organisation's.
 * @throws ApiError INVALID_FIELD for a name that no image holds
 */
export function issuerAfter(before: StoredOrder, patientid: string, said: string | undefined, own: OwnNames): string {
  if (patientid === '') return ''
  if (said !== undefined) return readIssuer(said)
  const isOwn = authorityOf(before.issuer, own) === ''
  return isOwn || foldId(patientid) === foldId(before.patientid) ? before.issuer : ''
}

/** A step with what was sent. @throws ApiError INVALID_FIELD naming the field */
export function readStep(before: StoredStep, sent: Sent): StoredStep {
  const after = { ...before }
  for (const field of stepTexts) after[field] = textOf(sent, field) ?? before[field]
  const modality = textOf(sent, 'modality')?.toUpperCase()
  if (modality !== undefined && !/^[A-Z0-9_ ]{0,16}$/.test(modality)) throw wrong('modality')
  after.modality = modality ?? before.modality
  const station = textOf(sent, 'scheduled_station_aetitle')
  if (station && !isAeTitle(station)) throw wrong('scheduled_station_aetitle')
  after.scheduled_station_aetitle = station ?? before.scheduled_station_aetitle
  after.scheduled_procedure_step_start_date =
    dateOf(sent, 'scheduled_procedure_step_start_date') ?? before.scheduled_procedure_step_start_date
  const time = textOf(sent, 'scheduled_procedure_step_start_time')?.replaceAll(':', '')
  if (time && !/^([01]\d|2[0-3])([0-5]\d([0-5]\d(\.\d{1,6})?)?)?$/.test(time)) {
    throw wrong('scheduled_procedure_step_start_time')
  }
  after.scheduled_procedure_step_start_time = time ?? before.scheduled_procedure_step_start_time
  return after
}

/** Old and new value of each field that differs. */
export function changesBetween<Row extends object>(before: Row, after: Row): Record<string, [unknown, unknown]> {
  const keys = (Object.keys(after) as (keyof Row & string)[]).filter((key) => key !== 'search')
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  return Object.fromEntries(changed.map((key) => [key, [before[key], after[key]]]))
}

function textOf(sent: Sent, field: string): string | undefined {
  const value = sent[field]
  return typeof value === 'string' ? readEditText(field, value) : undefined
}

function dateOf(sent: Sent, field: string): string | undefined {
  const text = textOf(sent, field)
  if (text === undefined || text === '') return text
  const date = normaliseDate(text)
  if (!/^\d{8}$/.test(date)) throw wrong(field)
  return date
}

function wrong(field: string): ApiError {
  return new ApiError('INVALID_FIELD', { subtype: field })
}
