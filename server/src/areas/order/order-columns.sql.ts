import { sql } from 'kysely'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { nameSql } from '../../db/name-sql.ts'

const o = (column: string) => sql.ref(`o.${column}`)

/** Columns that orders are found by. */
export const orderColumns = {
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

/** Columns that orders are sorted by: as above, and names by themselves. */
export const orderSorts: FilterColumns = { ...orderColumns, patient_name: { kind: 'exact', column: o('search') } }

export const newestOrders = sql`o.created desc, o.uuid desc`
