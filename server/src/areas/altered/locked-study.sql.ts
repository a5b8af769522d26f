import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { columnAttributes, sentColumns, type StudyEdit } from './study-edit.ts'

export interface LockedStudy {
  phi_namespace: string
  uuid: string
  values: Record<string, string>
  issuer: string
  /** Of the MRNs that the record's own account gives. */
  own_issuer: string
  row_version: number
  columns: Record<string, string | number | null>
  customfields: Record<string, string>
  edits: StudyEdit[]
  arrival: string
  locked_by: string | null
}

/** Locks the record's row and reads what an edit compares with, and who holds the courtesy lock. */
export async function lockStudyRow(tx: Tx, phiNamespace: string, uuid: string): Promise<LockedStudy | undefined> {
  const pairsOf = (names: readonly string[]) =>
    sql.join(names.map((name) => sql`${sql.lit(name)}::text, ${sql.ref(`s.${name}`)}`))
  const { rows } = await sql<LockedStudy>`
    select s.phi_namespace, s.uuid, s.demographics || jsonb_build_object(${pairsOf(columnAttributes)}) as values,
      jsonb_build_object(${pairsOf(sentColumns)}) as columns,
      s.issuer, a.issuer as own_issuer, s.row_version, s.customfields, s.edits, s.arrival, l.user_uuid as locked_by
    from study s
    join account a on a.uuid = s.account_uuid
    left join study_lock l on l.study_uuid = s.uuid and l.until > now()
    where s.phi_namespace = ${phiNamespace} and s.uuid = ${uuid}
    for update of s
  `.execute(tx)
  return rows[0]
}
