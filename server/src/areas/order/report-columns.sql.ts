import type { ListQuery } from '@hilum/contract/list'
import { sql } from 'kysely'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, listSql } from '../list-page.sql.ts'

const w = (column: string) => sql.ref(`w.${column}`)

/** Columns of a waiting report that it is found and sorted by. */
const reportColumns = {
  namespace_id: { kind: 'uuid', column: w('namespace_uuid') },
  patientid: { kind: 'text', column: w('patientid') },
  patient_name: { kind: 'text', column: w('patient_name') },
  accession_number: { kind: 'exact', column: w('accession_number') },
  number: { kind: 'exact', column: w('number') },
  received: { kind: 'stamp', column: w('received') },
  reason: { kind: 'text', column: w('reason') },
} as const satisfies FilterColumns

/** Reports that an exam here did not take, then those that wait longest. */
const mostUrgent = sql`w.reason = '', w.received, w.uuid`

/** Turns a list request of waiting reports into SQL. @throws ApiError as `filterSql` */
export function reportListSql(query: ListQuery, userZone: string): ListSql {
  return listSql(query, reportColumns, userZone, mostUrgent)
}
