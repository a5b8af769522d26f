import type { GivenNumber } from '@hilum/dicom/authority'
import { type RawBuilder, sql } from 'kysely'
import { hasLiveSource } from '../../access/record-sources.sql.ts'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Db } from '../../db/database.ts'
import { areOtherAuthoritiesIn } from '../storage/authority.sql.ts'

/** One exam of an order, as `order/get` names it. */
export interface ExamOfOrder {
  uuid: string
  study_uid: string
  phi_namespace: string
}

/**
 * Condition that a study `s` and an order `o` of one place belong together: the Study Instance UID of the worklist, or
 * the accession number with the patient's number. An exam whose images name no authority may be of any.
 */
const byUid = sql`s.study_uid = order_study_uid(o.study_uid, o.uuid)`
const byAccession = sql`s.accession_number = o.accession_number and o.accession_number <> '' and o.patientid <> ''
        and folded_id(s.patientid) = folded_id(o.patientid)
        and (s.issuer = '' or not ${areOtherAuthoritiesIn(sql`s.issuer`, sql`o.issuer`, sql`o.account_uuid`)})`

const isThere = sql`s.deleted_at is null and s.arrival <> 'announced' and ${hasLiveSource('s')}`

/**
 * The exams of an order `o` that a caller may list: those of its group, or for an order of no group those of every place
 * in the scope. A subquery with `uuid`, `study_uid`, `phi_namespace`.
 */
export function examsOfOrder(scope: StudyScope): RawBuilder<unknown> {
  const namespaces = scope.namespaces.map((one) => one.namespaceUuid)
  const branch = (condition: RawBuilder<unknown>) => sql`
      select s.uuid, s.study_uid, s.phi_namespace
      from study s
      where s.phi_namespace = any(${namespaces}::uuid[])
        and (o.namespace_uuid is null or s.phi_namespace = o.namespace_uuid)
        and s.account_uuid = o.account_uuid
        and (not s.must_approve or s.phi_namespace = any(${[...scope.approving]}::uuid[]))
        and ${isThere}
        and ${condition}`
  return sql`(${branch(byUid)} union ${branch(byAccession)})`
}

/** Numbers of orders of their places that exams belong to, by the uuids of the exams. */
export async function countOrdersOf(db: Db, studyUuids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (studyUuids.length === 0) return new Map()
  const branch = (condition: RawBuilder<unknown>) => sql`
        select o.uuid
        from imaging_order o
        where o.account_uuid = s.account_uuid and o.namespace_uuid = s.phi_namespace and ${condition}`
  const { rows } = await sql<{ uuid: string; count: number }>`
    select s.uuid, (select count(*) from (${branch(byUid)} union ${branch(byAccession)}) found) as count
    from study s
    where s.uuid = any(${studyUuids as string[]}::uuid[])
  `.execute(db)
  return new Map(rows.map(({ uuid, count }) => [uuid, count]))
}

/**
 * Whether one of the accession numbers under which an exam leaves, however its letters are written, is that of orders of
 * its organisation none of which is for its patient: of other MRNs, or of the same from another assigning authority; an
 * exam whose images name none may be of any. Orders without an MRN and cancelled ones speak for nobody.
 * @param ended numbers of the patient that ended in the one of the exam
 */
export async function findOtherOfAccession(
  db: Db,
  accountUuid: string,
  exam: GivenNumber,
  ended: readonly GivenNumber[],
  accessions: readonly string[],
): Promise<'number' | 'authority' | undefined> {
  const named = accessions.filter((one) => one !== '')
  if (named.length === 0) return undefined
  const numbers = [exam, ...ended]
  const ofPatient = sql`unnest(
    ${numbers.map((one) => one.patientid)}::text[], ${numbers.map((one) => one.issuer)}::text[]
  ) with ordinality as p (patientid, issuer, place)`
  const isNumber = sql`folded_id(o.patientid) = folded_id(p.patientid)`
  const areOthers = areOtherAuthoritiesIn(sql`o.issuer`, sql`p.issuer`, sql`o.account_uuid`)
  const isOtherNumber = sql`not exists (select from ${ofPatient} where ${isNumber})`
  const isOther = sql`not exists (select from ${ofPatient} where ${isNumber} and ((p.place = 1 and p.issuer = '') or not ${areOthers}))`
  const { rows } = await sql<{ is_number: boolean | null }>`
    select bool_and(${isOtherNumber}) as is_number
    from imaging_order o
    where o.account_uuid = ${accountUuid} and o.accession_number <> ''
      and folded_id(o.accession_number) = any(array(select folded_id(n) from unnest(${named}::text[]) as n))
      and o.patientid <> '' and o.cancelled_at is null
    group by folded_id(o.accession_number)
    having bool_and(${isOther})
    order by is_number desc
    limit 1
  `.execute(db)
  if (!rows[0]) return undefined
  return rows[0].is_number ? 'number' : 'authority'
}
