import { type StudyDicomField, studyDicomFields } from '@hilum/contract/entities/study'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { namesSeveral, numbersOfAll, type NumbersOfAll } from './outgoing-record.sql.ts'
import { columnAttributes, type StudyEdit } from './study-edit.ts'

/** Patient and exam of a record as text, with every correction. */
export type RecordDemographics = NumbersOfAll & {
  values: Partial<Record<StudyDicomField, string>>
  /** Of the MRN. */
  issuer: string
  edits: StudyEdit[]
  phi_version: number
  mixed_patients: boolean
}

export async function findDemographics(
  db: Db,
  phiNamespace: string,
  uuid: string,
): Promise<RecordDemographics | undefined> {
  const pairs = columnAttributes.map((tag) => sql`${sql.lit(tag)}::text, ${sql.ref(`s.${tag}`)}`)
  const { rows } = await sql<RecordDemographics>`
    select s.demographics || jsonb_build_object(${sql.join(pairs)}) as values, s.issuer, s.edits, s.phi_version,
      ${namesSeveral} as mixed_patients, ${numbersOfAll}
    from study s
    where s.phi_namespace = ${phiNamespace}
      and s.uuid = ${uuid}
  `.execute(db)
  const [row] = rows
  if (!row) return undefined
  const known = studyDicomFields.filter((tag) => row.values[tag])
  return { ...row, values: Object.fromEntries(known.map((tag) => [tag, row.values[tag]])) }
}
