import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { holdsOfPatients } from './hold.sql.ts'
import { endOfRule, lastDaySql } from './retention-days.sql.ts'

interface TakenAlong {
  phi_namespace: string
  uuid: string
  /** The account that the exam belongs to now. */
  account_uuid: string
  from_name: string
  to_name: string
  /** Reason of the hold on its patient that became a hold on the exam; null where none did. */
  hold_reason: string | null
  /** Last days of its date of retention, `YYYY-MM-DD`, before and after; null of none. */
  retained_before: string | null
  retained_after: string | null
  /** The authority of its MRN, where none was named and that of the former account counted. */
  named_issuer: string | null
}

/**
 * Brings the exams of the personal places of people to the account that the places belong to. Whatever kept an exam in
 * the former account keeps it on: the hold on its patient as a hold on the exam, the rule as a date. An MRN without an
 * authority was the former account's own, which is written to it.
 */
export async function takeExamsOfPlaces(tx: Tx, userUuids: readonly string[], now: Date): Promise<TakenAlong[]> {
  const { rows } = await sql<TakenAlong>`
    with moving as (
      select s.phi_namespace, s.uuid, s.retain_until, n.account_uuid as to_account, was.name as from_name,
        become.name as to_name,
        case when not s.hold then (select h.reason from ${holdsOfPatients} order by h.at, h.patientid limit 1) end as patient_hold,
        case when ${endOfRule} > ${now}
          then (date_trunc('day', ${endOfRule} at time zone 'UTC') + interval '1 day') at time zone 'UTC'
        end as rule_until,
        case when s.patientid <> '' and folded_id(s.issuer) = '' then nullif(was.issuer, '') end as named_issuer
      from study s
      join namespace n on n.uuid = s.phi_namespace
      join account was on was.uuid = s.account_uuid
      join account become on become.uuid = n.account_uuid
      where n.kind = 'user' and n.owner_uuid = any(${userUuids as string[]}::uuid[]) and s.account_uuid <> n.account_uuid
      order by s.phi_namespace, s.uuid
      for update of s
    )
    update study s
    set account_uuid = m.to_account,
      hold = s.hold or m.patient_hold is not null,
      hold_reason = coalesce(m.patient_hold, s.hold_reason),
      retain_until = greatest(s.retain_until, m.rule_until),
      issuer = coalesce(m.named_issuer, s.issuer),
      updated = now(), row_version = s.row_version + 1
    from moving m
    where s.phi_namespace = m.phi_namespace and s.uuid = m.uuid
    returning s.phi_namespace, s.uuid, s.account_uuid, m.from_name, m.to_name, m.patient_hold as hold_reason,
      ${lastDaySql(sql`m.retain_until`)} as retained_before, ${lastDaySql(sql`s.retain_until`)} as retained_after,
      m.named_issuer
  `.execute(tx)
  return rows
}
