import type { AuditKind } from '@hilum/contract/audit-acts'
import { foldText } from '@hilum/dicom/person-name'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type FilterColumns, filterSql } from '../../db/filter-sql.ts'
import { nameSql } from '../../db/name-sql.ts'
import { wholeNumberSql } from '../../db/number-sql.ts'
import type { AuditRow } from './audit.sql.ts'

export interface AccountAuditRow extends AuditRow {
  object_uuid: string | null
  actor: string | null
  object_name: string
  /** Of the things of the account whose ids stand in the detail, by id. */
  names: Record<string, string>
  study: AuditedStudyRow | null
}

interface AuditedStudyRow {
  uuid: string
  patient_name: string
  patientid: string
  issuer: string
  patient_birth_date: string
  accession_number: string
  study_description: string
  study_date: string
  modality: string
}

/** Exams whose patient's name, MRN or accession number holds a text; numbers are compared whole, in whatever spelling. */
const studyColumn: FilterColumns[string] = (term) => {
  const text = String(term.value).replace(/^%|%$/g, '')
  return sql`a.object_uuid in (
    select s.uuid
    from study s
    where s.account_uuid = a.account_uuid
      and (
        ${nameSql(sql`s.search`, { ...term, condition: 'like', value: `%${foldText(text)}%` })}
        or ${wholeNumberSql(sql`s.patientid`, text)}
        or ${wholeNumberSql(sql`s.accession_number`, text)}
      )
  )`
}

/** The actor of row `a` as the page calls it; the detail is read for nameless rows alone. */
const shownActor = sql`case when a.actor_name <> '' then a.actor_name else coalesce(a.detail ->> 'calling_ae', '') end`

/** The actor by name or AE title, and the supporter who was signed in as the actor. Read row by row, with no index. */
const whoColumn: FilterColumns[string] = (term, zone) => {
  const of = (column: RawBuilder<unknown>) => filterSql([term], { [term.field]: { kind: 'text', column } }, zone)
  const isFound = term.condition === 'equals' || term.condition === 'like' || term.condition === 'in'
  return isFound ? sql`${of(shownActor)} or ${of(sql`nullif(a.proxy, '')`)}` : of(shownActor)
}

export const accountAuditColumns = {
  who: whoColumn,
  user_id: { kind: 'uuid', column: sql`a.actor` },
  action: { kind: 'exact', column: sql`a.action` },
  type: { kind: 'exact', column: sql`a.type` },
  when: { kind: 'stamp', column: sql`a.at` },
  study_id: { kind: 'uuid', column: sql`a.object_uuid` },
  study: studyColumn,
} as const satisfies FilterColumns

const idForm = '"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"'

/**
 * The name of a thing of the account of row `a`, by its id: what the thing is called now, also where it is only marked as
 * deleted; a thing that is gone is called as its last own row of the audit has it. Null of exams, orders and what has no
 * name. Uses audit_of_object.
 */
const nameOf = (id: RawBuilder<unknown>) => sql`coalesce(
            (select x.name from role x where x.uuid = ${id} and x.account_uuid = a.account_uuid),
            (
              select coalesce(nullif(trim(x.first_name || ' ' || x.last_name), ''), x.email)
              from app_user x
              join account_user m on m.user_uuid = x.uuid and m.account_uuid = a.account_uuid
              where x.uuid = ${id}
            ),
            (select x.name from namespace x where x.uuid = ${id} and x.account_uuid = a.account_uuid),
            (select x.name from namespace x where x.owner_uuid = ${id} and x.account_uuid = a.account_uuid limit 1),
            (select x.name from destination x where x.uuid = ${id} and x.account_uuid = a.account_uuid),
            (select x.name from node x where x.uuid = ${id} and x.account_uuid = a.account_uuid),
            (select x.name from customfield x where x.uuid = ${id} and x.account_uuid = a.account_uuid),
            (select x.name from routing_rule x where x.uuid = ${id} and x.account_uuid = a.account_uuid),
            (select x.name from webhook x where x.uuid = ${id} and x.account_uuid = a.account_uuid),
            (
              select coalesce(nullif(x.button, ''), x.issuer)
              from identity_provider x
              where x.uuid = ${id} and x.account_uuid = a.account_uuid
            ),
            (
              select coalesce(nullif(x.email, ''), n.name)
              from link x
              left join link_request q on q.link_uuid = x.uuid
              left join namespace n on n.uuid = q.namespace_uuid and n.account_uuid = a.account_uuid
              where x.uuid = ${id} and x.account_uuid = a.account_uuid
            ),
            (
              select o.name
              from account_connection x
              join account o on o.uuid = case a.account_uuid when x.asking_account then x.asked_account else x.asking_account end
              where x.uuid = ${id} and a.account_uuid in (x.asking_account, x.asked_account)
            ),
            (
              select coalesce(nullif(${lastName(sql`x.detail -> 'name'`)}, ''), nullif(${lastName(sql`x.detail -> 'button'`)}, ''),
                ${lastName(sql`x.detail -> 'issuer'`)})
              from audit x
              where x.object_uuid = ${id} and x.account_uuid = a.account_uuid
                and (x.detail ? 'name' or x.type = 'Identity_provider' and x.detail ?| array['button', 'issuer'])
                and x.type not in ('Study', 'Order')
              order by x.at desc, x.id desc
              limit 1
            )
          )`

/** A name in a detail, or the later one of a change. */
function lastName(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case jsonb_typeof(${value}) when 'array' then ${value} ->> -1 else ${value} #>> '{}' end`
}

/** Names by the ids in the detail of row `a`, as far as they are of its account. */
const namesInDetail = sql`(
        select coalesce(jsonb_object_agg(named.id, named.name), '{}')
        from (
          select i.id, ${nameOf(sql`i.id`)} as name
          from (select distinct m[1]::uuid as id from regexp_matches(a.detail::text, ${idForm}, 'g') m) i
        ) named
        where named.name is not null
      )`

interface AuditPage {
  limit: number
  offset: number
  isReversed: boolean
}

/** Audit rows of an account, newest first, or oldest first when reversed. Uses audit_of_account, audit_of_actor. */
export async function listAuditOfAccount(
  db: Db,
  accountUuid: string,
  where: RawBuilder<unknown>,
  { limit, offset, isReversed }: AuditPage,
): Promise<AccountAuditRow[]> {
  const direction = isReversed ? sql`asc` : sql`desc`
  // names are looked up for the rows of the page alone
  const { rows } = await sql<AccountAuditRow>`
    with found as materialized (
      select a.id, a.at, a.actor, a.actor_name, a.actor_kind, a.proxy, a.action, a.type, a.object_uuid, a.account_uuid, a.detail,
        a.client_address
      from audit a
      where a.account_uuid = ${accountUuid}
        and ${where}
      order by a.at ${direction}, a.id ${direction}
      limit ${limit}
      offset ${offset}
    )
    select a.id, a.action, a.type, a.actor, a.actor_name, a.proxy, a.object_uuid, coalesce(a.actor_kind, '') as actor_kind,
      to_char(a.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as at, a.detail, a.client_address,
      coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email,
        case when s.uuid is null then ${nameOf(sql`a.object_uuid`)} end, ${lastName(sql`a.detail -> 'name'`)}, '')
        as object_name,
      ${namesInDetail} as names,
      case when s.uuid is not null then jsonb_build_object(
        'uuid', s.uuid, 'patient_name', s.patient_name, 'patientid', s.patientid, 'issuer', s.issuer,
        'patient_birth_date', s.patient_birth_date, 'accession_number', s.accession_number,
        'study_description', s.study_description, 'study_date', s.study_date, 'modality', s.modality
      ) end as study
    from found a
    left join study s on s.uuid = a.object_uuid and s.account_uuid = a.account_uuid
    left join app_user u on u.uuid = a.object_uuid and a.type = 'User'
    order by a.at ${direction}, a.id ${direction}
  `.execute(db)
  return rows
}

/** Counts the rows that `listAuditOfAccount` lists on all pages. */
export async function countAuditOfAccount(db: Db, accountUuid: string, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from audit a
    where a.account_uuid = ${accountUuid}
      and ${where}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** A condition on audit rows: things of a kind were deleted. */
export function ofDeleted(kind: AuditKind): RawBuilder<unknown> {
  return sql`a.action = 'DELETE' and a.type = ${kind}`
}

/** A condition on audit rows: sign-ins, and those that failed; of one person where one is named. */
export function ofSignIns(userUuid: string | undefined): RawBuilder<unknown> {
  const ofPerson = userUuid ? sql`a.actor = ${userUuid}` : sql`true`
  return sql`a.action in ('LOGIN', 'LOGIN_FAILED') and ${ofPerson}`
}

interface AuditedPatientRow {
  issuer: string
  patient_name: string
  patient_birth_date: string
  study_count: number
}

/** Exams of an account under an MRN, however it is typed; deleted ones among them. */
function ofPatient(accountUuid: string, { patientid, issuer }: { patientid: string; issuer: string | undefined }) {
  return sql`
    s.account_uuid = ${accountUuid}
    and folded_id(s.patientid) = folded_id(${patientid})
    and folded_id(s.patientid) <> ''
    and (${issuer ?? null}::text is null or s.issuer = ${issuer ?? null}::text)`
}

/** Patients who have an MRN, by issuer; their names as the latest exam has them. */
export async function listAuditedPatients(
  db: Db,
  accountUuid: string,
  patientid: string,
): Promise<AuditedPatientRow[]> {
  const { rows } = await sql<AuditedPatientRow>`
    select s.issuer, (array_agg(s.patient_name order by s.updated desc, s.uuid))[1] as patient_name,
      (array_agg(s.patient_birth_date order by s.updated desc, s.uuid))[1] as patient_birth_date,
      count(*)::integer as study_count
    from study s
    where ${ofPatient(accountUuid, { patientid, issuer: undefined })}
    group by s.issuer
    order by s.issuer
    limit 100
  `.execute(db)
  return rows
}

/** Exams of an account that had an MRN before a correction, however it is typed. Uses audit_of_mrn. */
function thatHad(accountUuid: string, { patientid, issuer }: { patientid: string; issuer: string | undefined }) {
  return sql`
    select s.uuid
    from audit e
    join study s on s.uuid = e.object_uuid and s.account_uuid = e.account_uuid
    where e.account_uuid = ${accountUuid}
      and e.detail #>> '{patientid,0}' is not null
      and folded_id(e.detail #>> '{patientid,0}') = folded_id(${patientid})
      and folded_id(e.detail #>> '{patientid,0}') <> ''
      and (${issuer ?? null}::text is null or coalesce(e.detail #>> '{issuer,0}', s.issuer) = ${issuer ?? null}::text)`
}

interface EarlierPatientRow extends AuditedPatientRow {
  /** The MRN that the exams have now. */
  patientid: string
}

/** Patients under whom exams stand now that had an MRN before, but those who have that MRN. */
export async function listEarlierPatients(
  db: Db,
  accountUuid: string,
  patient: { patientid: string; issuer: string | undefined },
): Promise<EarlierPatientRow[]> {
  const { rows } = await sql<EarlierPatientRow>`
    select s.patientid, s.issuer, (array_agg(s.patient_name order by s.updated desc, s.uuid))[1] as patient_name,
      (array_agg(s.patient_birth_date order by s.updated desc, s.uuid))[1] as patient_birth_date,
      count(*)::integer as study_count
    from study s
    where s.uuid in (${thatHad(accountUuid, patient)})
      and not (${ofPatient(accountUuid, patient)})
    group by s.patientid, s.issuer
    order by s.patientid, s.issuer
    limit 100
  `.execute(db)
  return rows
}

/**
 * A condition on audit rows, and that they are about an exam of a patient, or about one that had the patient's MRN
 * before. Uses study_by_folded_mrn, audit_of_mrn, audit_of_object.
 */
export function aboutPatient(
  accountUuid: string,
  patient: { patientid: string; issuer: string | undefined },
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`a.object_uuid in (
    select s.uuid from study s where ${ofPatient(accountUuid, patient)}
    union
    ${thatHad(accountUuid, patient)}
  ) and ${where}`
}
