import { type RawBuilder, sql } from 'kysely'

const ruleOf = (scope: 'namespace' | 'account', uuid: RawBuilder<unknown>) => sql`(
    select v.value::integer
    from setting v
    where v.scope = ${sql.lit(scope)} and v.scope_uuid = ${uuid} and v.key = 'retention_days' and v.value ~ '^\\d{1,5}$')`

const retentionDays = sql`coalesce(${ruleOf('namespace', sql`s.phi_namespace`)}, ${ruleOf('account', sql`s.account_uuid`)}, 0)`

/** The moment until which the rule of retention of its place or account keeps record `s`. */
export const endOfRule = sql`(s.created + make_interval(days => ${retentionDays}))`

/** The last day of a date of retention, which ends with that day. */
export const lastDaySql = (column: RawBuilder<unknown>) =>
  sql`to_char((${column} - interval '1 microsecond') at time zone 'UTC', 'YYYY-MM-DD')`
