import { sql } from 'kysely'
import type { FilterTerm } from '@hilum/contract/list'
import { type FilterColumns, filterSql } from '../../db/filter-sql.ts'
import { nameSql } from '../../db/name-sql.ts'

const o = (column: string) => sql.ref(`o.${column}`)

/** Orders with a step that the term finds. */
function ofStep(name: string, kind: 'exact' | 'date') {
  return (term: FilterTerm, zone: string) => sql`exists (
    select
    from order_step f
    where f.account_uuid = o.account_uuid and f.order_uuid = o.uuid
      and ${filterSql([term], { [name]: { kind, column: sql.ref(`f.${name}`) } }, zone)}
  )`
}

/** Columns that orders are found by. */
export const orderColumns = {
  namespace_id: { kind: 'uuid', column: o('namespace_uuid') },
  modality: ofStep('modality', 'exact'),
  scheduled_station_aetitle: ofStep('scheduled_station_aetitle', 'exact'),
  scheduled_procedure_step_start_date: ofStep('scheduled_procedure_step_start_date', 'date'),
  mpps_status: ofStep('mpps_status', 'exact'),
  uuid: { kind: 'uuid', column: o('uuid') },
  patientid: { kind: 'text', column: o('patientid') },
  patient_name: (term) => nameSql(o('search'), term),
  accession_number: { kind: 'exact', column: o('accession_number') },
  order_number: { kind: 'exact', column: o('order_number') },
  patient_sex: { kind: 'text', column: o('patient_sex') },
  patient_birth_date: { kind: 'date', column: o('patient_birth_date') },
  referring_physician: { kind: 'text', column: o('referring_physician') },
  sending_facility: { kind: 'text', column: o('sending_facility') },
  created: { kind: 'stamp', column: o('created') },
} as const satisfies FilterColumns

/** Columns that orders are sorted by: as above, names by themselves, and steps by the first one with a date. */
export const orderSorts: FilterColumns = {
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

export const newestOrders = sql`o.created desc, o.uuid desc`
