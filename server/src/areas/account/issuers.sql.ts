import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { ownNamesIn } from '../storage/authority.sql.ts'

interface FoundName {
  issuer: string
  study_count: number
  newest: string
  ae_titles: string[]
}

/** Newest exams of each place that are looked at. */
const looked = 500

/**
 * Authorities of others that the newest exams of an account's places name for their MRNs, the commonest first; none
 * with a comma, at which lists of names are split.
 */
export async function listNamedIssuers(db: Db, accountUuid: string): Promise<FoundName[]> {
  const { rows } = await sql<FoundName>`
    select mode() within group (order by s.issuer) as issuer, count(*)::int as study_count,
      to_char(max(s.created) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as newest,
      (array_agg(distinct s.source_ae_title) filter (where s.source_ae_title <> ''))[1:3] as ae_titles
    from namespace n
    cross join lateral (
      select patientid, issuer, created, source_ae_title
      from study
      where phi_namespace = n.uuid and deleted_at is null and arrival <> 'announced'
      order by created desc, uuid desc
      limit ${looked}
    ) s
    where n.account_uuid = ${accountUuid} and n.gone_at is null
      and s.patientid <> '' and position(',' in s.issuer) = 0 and folded_id(s.issuer) <> '' and folded_id(s.issuer) <> all(${ownNamesIn(sql`n.account_uuid`)})
    group by folded_id(s.issuer)
    order by count(*) desc, 1
    limit 20
  `.execute(db)
  return rows.map((row) => ({ ...row, ae_titles: row.ae_titles ?? [] }))
}

/** Whether studies are sent to a destination of an account that takes no MRNs of other authorities. */
export async function holdsBackForeign(db: Db, accountUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from destination
    where account_uuid = ${accountUuid} and deleted_at is null and can_push and not push_foreign
    limit 1
  `.execute(db)
  return rows.length > 0
}
