import type { Study } from '@hilum/contract/entities/study'
import type { OwnNames } from '@hilum/dicom/authority'
import { foldId } from '@hilum/dicom/fold-id'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { ownNamesIn } from '../storage/authority.sql.ts'
import { columnAttributes, sentColumns, type StudyEdit } from './study-edit.ts'

export interface LockedStudy {
  phi_namespace: string
  uuid: string
  values: Record<string, string>
  issuer: string
  /** Of the MRNs that the record's own account gives. */
  own_issuer: string
  /** Names of the authority that gives them. */
  own_names: OwnNames
  row_version: number
  columns: Record<string, string | number | null>
  work_status: Study['work_status']
  customfields: Record<string, string>
  edits: StudyEdit[]
  arrival: string
  locked_by: string | null
}

/** Whether an issuer is the account's own, by whichever of its names; of an account without a name numbers have none. */
export function isOwnIssuer(issuer: string, own: Pick<LockedStudy, 'own_issuer' | 'own_names'>): boolean {
  const name = foldId(issuer)
  return name === foldId(own.own_issuer) || own.own_names.includes(name)
}

/** Locks the record's row and reads what an edit compares with, and who holds the courtesy lock. */
export async function lockStudyRow(tx: Tx, phiNamespace: string, uuid: string): Promise<LockedStudy | undefined> {
  const pairsOf = (names: readonly string[]) =>
    sql.join(names.map((name) => sql`${sql.lit(name)}::text, ${sql.ref(`s.${name}`)}`))
  const { rows } = await sql<LockedStudy>`
    select s.phi_namespace, s.uuid, s.demographics || jsonb_build_object(${pairsOf(columnAttributes)}) as values,
      jsonb_build_object(${pairsOf(sentColumns)}) as columns,
      s.issuer, s.status as work_status, a.issuer as own_issuer,
      ${ownNamesIn(sql`s.account_uuid`)} as own_names, s.row_version, s.customfields, s.edits, s.arrival, l.user_uuid as locked_by
    from study s
    join account a on a.uuid = s.account_uuid
    left join study_lock l on l.study_uuid = s.uuid and l.until > now()
    where s.phi_namespace = ${phiNamespace} and s.uuid = ${uuid}
    for update of s
  `.execute(tx)
  return rows[0]
}
