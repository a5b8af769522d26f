import type { RouteCondition, RouteFlag, RouteOptions, RouteSchedule } from '@hilum/contract/routing-rule'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import type { StoredAction } from './stored-action.ts'

export interface RuleRow {
  uuid: string
  account_uuid: string
  namespace_uuid: string
  other_namespaces: string[]
  name: string
  sequence: number
  suspended: boolean
  flags: RouteFlag[]
  conditions: RouteCondition[]
  actions: StoredAction[]
  options: RouteOptions
  schedule: RouteSchedule | null
  delay_seconds: number
  delay_from_study_field: string
  delay_from_study_seconds: number
  manual_roles: string[]
  row_version: number
  /** The person who saved it last, in whose name it shares. */
  saved_by: string
  /** Time zone of that person, or empty. */
  saver_zone: string
  /** Whether a condition asks about a custom field that was deleted. */
  names_gone_field: boolean
}

const columns = sql`
  r.uuid, r.account_uuid, r.namespace_uuid, r.other_namespaces, r.name, r.sequence, r.suspended, r.flags, r.conditions,
  r.actions, r.options, r.schedule, r.delay_seconds, r.delay_from_study_field, r.delay_from_study_seconds,
  r.manual_roles, r.row_version, r.saved_by,
  coalesce((select u.time_zone from app_user u where u.uuid = r.saved_by), '') as saver_zone,
  exists (
    select
    from jsonb_array_elements(r.conditions) c
    where c.value ->> 'lv' like 'customfield-%' and not exists (
      select
      from customfield f
      where f.account_uuid = r.account_uuid and f.deleted_at is null
        and 'customfield-' || f.uuid = lower(c.value ->> 'lv')
    )
  ) as names_gone_field`

const hasFlag = (flag: RouteFlag) => ({ kind: 'flag' as const, column: sql`(${flag} = any(r.flags))` })

export const ruleColumns: FilterColumns = {
  uuid: { kind: 'uuid', column: sql`r.uuid` },
  name: { kind: 'text', column: sql`r.name` },
  suspended: { kind: 'flag', column: sql`r.suspended` },
  namespace_id: { kind: 'uuid', column: sql`r.namespace_uuid` },
  namespace_name: { kind: 'text', column: sql`n.name` },
  sequence: { kind: 'integer', column: sql`r.sequence` },
  on_upload: hasFlag('on_upload'),
  on_harvest: hasFlag('on_harvest'),
  on_share: hasFlag('on_share'),
  on_manual_route: hasFlag('on_manual_route'),
  on_thin: hasFlag('on_thin'),
  no_re_run: hasFlag('no_re_run'),
  only_re_run: hasFlag('only_re_run'),
  delay_till_schedule: hasFlag('delay_till_schedule'),
  delay_seconds: { kind: 'integer', column: sql`r.delay_seconds` },
}
export const ruleOrder = sql`r.sequence, r.uuid`

export async function listRules(db: Db, accountUuid: string, list: ListSql): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`
    select ${columns}, ${totalColumn}
    from routing_rule r
    left join namespace n on n.uuid = r.namespace_uuid
    where r.account_uuid = ${accountUuid} and r.deleted_at is null and ${list.where}
    order by ${list.orderBy}
    limit ${list.limit}
  `.execute(db)
  return rows
}

/** Rules of an account that are switched on, in their order. */
export async function listActiveRules(db: Db, accountUuid: string): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`
    select ${columns}
    from routing_rule r
    where r.account_uuid = ${accountUuid} and r.deleted_at is null and not r.suspended
    order by ${ruleOrder}
  `.execute(db)
  return rows
}

/** Rules for the studies of a place that one of these flags starts, in their order. */
export async function listRulesOfPlace(
  db: Db,
  place: { accountUuid: string; namespaceUuid: string },
  flag: RouteFlag,
): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`
    select ${columns}
    from routing_rule r
    where r.account_uuid = ${place.accountUuid} and r.deleted_at is null and not r.suspended
      and ${flag} = any(r.flags)
      and (r.namespace_uuid = ${place.namespaceUuid} or ${place.namespaceUuid} = any(r.other_namespaces))
    order by ${ruleOrder}
  `.execute(db)
  return rows
}

export async function findRule(db: Db, uuid: string): Promise<RuleRow | undefined> {
  const { rows } = await sql<RuleRow>`
    select ${columns} from routing_rule r where r.uuid = ${uuid} and r.deleted_at is null
  `.execute(db)
  return rows[0]
}

/** Locks the order of an account's rules, so that two changes of it come one after the other. */
export async function lockRules(tx: Tx, accountUuid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('routing rules ' || ${accountUuid}, 0))`.execute(tx)
}

export async function lockRule(tx: Tx, uuid: string): Promise<RuleRow | undefined> {
  const { rows } = await sql<RuleRow>`
    select ${columns} from routing_rule r where r.uuid = ${uuid} and r.deleted_at is null for update
  `.execute(tx)
  return rows[0]
}

/** Writes a rule; a new one comes last. */
export async function saveRule(tx: Tx, one: RuleRow): Promise<void> {
  await sql`
    insert into routing_rule (
      uuid, account_uuid, namespace_uuid, other_namespaces, name, sequence, suspended, flags, conditions, actions,
      options, schedule, delay_seconds, delay_from_study_field, delay_from_study_seconds, manual_roles, saved_by
    )
    values (
      ${one.uuid}, ${one.account_uuid}, ${one.namespace_uuid}, ${one.other_namespaces}::uuid[], ${one.name},
      (select coalesce(max(o.sequence), 0) + 1
        from routing_rule o
        where o.account_uuid = ${one.account_uuid} and o.deleted_at is null),
      ${one.suspended}, ${one.flags}::text[], ${JSON.stringify(one.conditions)}::jsonb,
      ${JSON.stringify(one.actions)}::jsonb, ${JSON.stringify(one.options)}::jsonb,
      ${one.schedule && JSON.stringify(one.schedule)}::jsonb, ${one.delay_seconds}, ${one.delay_from_study_field},
      ${one.delay_from_study_seconds}, ${one.manual_roles}::uuid[], ${one.saved_by}
    )
    on conflict (uuid) do update
    set namespace_uuid = excluded.namespace_uuid, other_namespaces = excluded.other_namespaces, name = excluded.name,
      suspended = excluded.suspended, flags = excluded.flags, conditions = excluded.conditions,
      actions = excluded.actions, options = excluded.options, schedule = excluded.schedule,
      delay_seconds = excluded.delay_seconds, delay_from_study_field = excluded.delay_from_study_field,
      delay_from_study_seconds = excluded.delay_from_study_seconds, manual_roles = excluded.manual_roles,
      saved_by = excluded.saved_by, row_version = routing_rule.row_version + 1, updated = now()
  `.execute(tx)
}

export async function findDeletedRule(db: Db, uuid: string): Promise<RuleRow | undefined> {
  const { rows } = await sql<RuleRow>`
    select ${columns} from routing_rule r where r.uuid = ${uuid} and r.deleted_at is not null
  `.execute(db)
  return rows[0]
}

/** Marks a rule as deleted, or as there again; undefined when it was so already. */
export async function markRuleDeleted(tx: Tx, uuid: string, isDeleted: boolean): Promise<RuleRow | undefined> {
  const { rows } = await sql<RuleRow>`
    update routing_rule r
    set deleted_at = ${isDeleted ? sql`now()` : sql`null`}, row_version = row_version + 1, updated = now()
    where uuid = ${uuid} and (deleted_at is null) = ${isDeleted}
    returning ${columns}
  `.execute(tx)
  return rows[0]
}

/** Numbers the rules of an account from 1, with this one at its place. */
export async function placeRule(tx: Tx, accountUuid: string, uuid: string, sequence: number): Promise<void> {
  await sql`
    with others as (
      select o.uuid, row_number() over (order by o.sequence, o.uuid) as place
      from routing_rule o
      where o.account_uuid = ${accountUuid} and o.deleted_at is null and o.uuid <> ${uuid}
    ), placed as (
      select uuid, place + (place >= ${sequence})::integer as place from others
      union all
      select ${uuid}::uuid, least(greatest(${sequence}::bigint, 1), (select count(*) + 1 from others))
    )
    update routing_rule r
    set sequence = p.place
    from placed p
    where p.uuid = r.uuid and r.sequence <> p.place
  `.execute(tx)
}
