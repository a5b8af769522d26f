import { type RawBuilder, sql } from 'kysely'
import { isHeld, isHeldByPatient } from '../storage/hold.sql.ts'
import { endOfRule } from '../storage/retention-days.sql.ts'

/*
 * Causes that keep a record. A hold (of a study or a patient), a retraction and a retention rule stop every purge; a rule is
 * `retain_until` of the record, or the setting `retention_days` of its namespace or account, counted from its arrival.
 */

/** Condition: record `s` must be kept at a moment. */
export const mustStay = (now: Date) =>
  sql`(${isHeld} or s.retraction_uuid is not null or coalesce(s.retain_until > ${now}, false) or ${endOfRule} > ${now})`

/** The cause that keeps record `s` at a moment, the strongest first: a word of `keeping`. */
export const retentionCause = (now: Date) => sql`case
    when s.hold then 'hold'
    when s.retraction_uuid is not null then 'retraction'
    when ${isHeldByPatient} then 'patient'
    when s.retain_until > ${now} and s.retain_until >= ${endOfRule} then 'date'
    when ${endOfRule} > ${now} then 'rule'
    when s.retain_until > ${now} then 'date'
    else ''
  end`

/** The earliest moment to purge deleted record `s`, by the days of restoring, its date and its rule. */
export const dueAt = (restoreDays: number) => sql`greatest(
    s.deleted_at + make_interval(days => ${restoreDays}), s.retain_until, ${endOfRule}
  )`

/** A moment as the wire writes it. */
export const stampSql = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')`

/** Name of a person, else the login; empty of nobody. */
export const nameOfPerson = (uuid: RawBuilder<unknown>) => sql`coalesce(
    (select coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) from app_user u where u.uuid = ${uuid}),
    '')`
