import { type RawBuilder, sql } from 'kysely'
import type { FilterTerm, ListQuery } from '@hilum/contract/list'
import type { StudyScope } from '../../access/study-scope.ts'
import { type FilterColumns, filterSql } from '../../db/filter-sql.ts'
import { filterZone } from '../../db/filter-zone.ts'
import { nameSql } from '../../db/name-sql.ts'
import { likeNumberSql, wholeNumberSql } from '../../db/number-sql.ts'
import { type ListSql, listSql } from '../list-page.sql.ts'
import { examsOfOrder } from './exams-of-order.sql.ts'

const o = (column: string) => sql.ref(`o.${column}`)

const f = (column: string) => sql.ref(`f.${column}`)

/** Columns of a step `f` that orders are found by. */
const stepColumns = {
  modality: { kind: 'exact', column: f('modality') },
  scheduled_station_aetitle: { kind: 'exact', column: f('scheduled_station_aetitle') },
  scheduled_procedure_step_start_date: { kind: 'date', column: f('scheduled_procedure_step_start_date') },
  mpps_status: { kind: 'exact', column: f('mpps_status') },
} as const satisfies FilterColumns

/** Numbers of an order, as they are written. */
const numberColumns = {
  patientid: { kind: 'text', column: o('patientid') },
  accession_number: { kind: 'exact', column: o('accession_number') },
  order_number: { kind: 'exact', column: o('order_number') },
} as const satisfies FilterColumns

/** Columns of an order that it is found by. */
const orderColumns = {
  namespace_id: { kind: 'uuid', column: o('namespace_uuid') },
  uuid: { kind: 'uuid', column: o('uuid') },
  ...numberColumns,
  patient_name: (term) => nameSql(o('search'), term),
  patient_sex: { kind: 'text', column: o('patient_sex') },
  patient_birth_date: { kind: 'date', column: o('patient_birth_date') },
  referring_physician: { kind: 'text', column: o('referring_physician') },
  sending_facility: { kind: 'text', column: o('sending_facility') },
  created: { kind: 'stamp', column: o('created') },
  is_cancelled: { kind: 'flag', column: sql`(o.cancelled_at is not null)` },
} as const satisfies FilterColumns

/** Orders by a number: `like` finds it, or pieces of it, in whatever spelling. */
function spelled(field: keyof typeof numberColumns): (term: FilterTerm, zone: string) => RawBuilder<unknown> {
  const { column } = numberColumns[field]
  return (term, zone) => {
    if (term.condition !== 'like') return filterSql([term], numberColumns, zone)
    const typed = String(term.value)
    return typed.includes('%') ? (likeNumberSql(column, typed) ?? sql`true`) : wholeNumberSql(column, typed)
  }
}

const orderFilters: FilterColumns = {
  ...orderColumns,
  patientid: spelled('patientid'),
  accession_number: spelled('accession_number'),
  order_number: spelled('order_number'),
}

/** Columns that orders are sorted by: as above, names by themselves, and steps by the first one with a date. */
const orderSorts: FilterColumns = {
  ...orderColumns,
  patient_name: { kind: 'exact', column: o('search') },
  scheduled_procedure_step_start_date: {
    kind: 'exact',
    column: sql`(
      select coalesce(min(f.scheduled_procedure_step_start_date || f.scheduled_procedure_step_start_time), '')
      from order_step f
      where f.account_uuid = o.account_uuid and f.order_uuid = o.uuid and f.scheduled_procedure_step_start_date <> ''
    )`,
  },
}

/** Columns of steps `f` and their orders `o`, by the names of their tables. */
const foundStepColumns: FilterColumns = {
  'ord.patientid': orderColumns.patientid,
  'ord.patient_name': orderColumns.patient_name,
  'ord.accession_number': orderColumns.accession_number,
  'ord.patient_sex': orderColumns.patient_sex,
  'ord.patient_birth_date': orderColumns.patient_birth_date,
  'ord.referring_physician': orderColumns.referring_physician,
  'order_sps.modality': stepColumns.modality,
  'order_sps.scheduled_procedure_step_id': { kind: 'exact', column: f('scheduled_procedure_step_id') },
  'order_sps.requested_procedure_id': { kind: 'exact', column: f('requested_procedure_id') },
  'order_sps.scheduled_station_aetitle': stepColumns.scheduled_station_aetitle,
  'order_sps.scheduled_procedure_step_start_date': stepColumns.scheduled_procedure_step_start_date,
  'order_sps.mpps_status': stepColumns.mpps_status,
}

/** Turns a list request of steps into SQL. @throws ApiError as `filterSql` */
export function stepListSql(query: ListQuery, userZone: string): ListSql {
  return listSql(query, foundStepColumns, userZone, sql`f.scheduled_procedure_step_start_date, f.uuid`)
}

const newestOrders = sql`o.created desc, o.uuid desc`

/**
 * Turns a list request of orders into SQL. All that is asked of steps is asked of one step: an order with a step before
 * a week and another one after it has none within.
 * @param studies the exams that are counted
 * @throws ApiError as `filterSql`
 */
export function orderListSql(query: ListQuery, userZone: string, studies: StudyScope): ListSql {
  const [ofSteps = [], own = []] = [true, false].map((isOfStep) =>
    query.filters.filter(({ field }) => Object.hasOwn(stepColumns, field) === isOfStep),
  )
  const counted = { kind: 'integer', column: sql`(select count(*) from ${examsOfOrder(studies)} exam)` } as const
  const columns = { ...orderFilters, study_count: counted }
  const asked = listSql({ ...query, filters: own }, columns, userZone, newestOrders, orderSorts)
  if (ofSteps.length === 0) return asked
  const step = filterSql(ofSteps, stepColumns, filterZone(userZone, query.timeZone))
  const where = sql`${asked.where} and exists (
    select
    from order_step f
    where f.account_uuid = o.account_uuid and f.order_uuid = o.uuid and ${step}
  )`
  return { ...asked, where }
}
