import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A place, webhook or destination that a rule can name. */
export interface RuleTarget {
  /** Of the namespace, the webhook, or the destination. */
  uuid: string
  /** Of the account, group, location or person that owns the namespace; of others their own. */
  owner_uuid: string
  kind: 'account' | 'group' | 'location' | 'user' | 'webhook' | 'destination'
  name: string
  /** Whether a rule can share with it, call it, or push to it. */
  is_open: boolean
}

/** All that rules of an account can name, by name. */
export async function listRuleTargets(db: Db, accountUuid: string): Promise<RuleTarget[]> {
  const { rows } = await sql<RuleTarget>`
    select t.*
    from (
      select n.uuid, n.owner_uuid, n.kind, coalesce(g.name, n.name) as name,
        n.kind in ('group', 'location') and not g.no_share and g.designation <> 'GATEKEEPER' as is_open
      from namespace n
      left join app_group g on n.kind in ('group', 'location') and g.uuid = n.owner_uuid
      where n.account_uuid = ${accountUuid} and n.kind in ('account', 'group', 'location')
        and (n.kind = 'account' or g.uuid is not null)
      union all
      select u.namespace_uuid, u.uuid, 'user', coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email),
        true
      from account_user au
      join app_user u on u.uuid = au.user_uuid
      where au.account_uuid = ${accountUuid} and not au.disabled and not u.disabled
      union all
      select w.uuid, w.uuid, 'webhook', w.name, not w.suspended
      from webhook w
      where w.account_uuid = ${accountUuid} and w.deleted_at is null
      union all
      select d.uuid, d.uuid, 'destination', d.name, d.can_push
      from destination d
      where d.account_uuid = ${accountUuid} and d.deleted_at is null
    ) t
    order by lower(t.name), t.uuid
  `.execute(db)
  return rows
}

interface Named {
  uuid: string
  name: string
}

/** People of an account with whose personal place a rule can share, by name and with their addresses. */
export async function listRulePeople(db: Db, accountUuid: string): Promise<(Named & { email: string })[]> {
  const { rows } = await sql<Named & { email: string }>`
    select u.namespace_uuid as uuid, u.email,
      coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as name
    from account_user au
    join app_user u on u.uuid = au.user_uuid
    where au.account_uuid = ${accountUuid} and not au.disabled and not u.disabled
    order by lower(coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email)), u.namespace_uuid
  `.execute(db)
  return rows
}

/** Roles of an account, by name. */
export async function listRuleRoles(db: Db, accountUuid: string): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select r.uuid, r.name from role r where r.account_uuid = ${accountUuid} order by lower(r.name), r.uuid
  `.execute(db)
  return rows
}

/** Custom fields of an account's studies, by name. */
export async function listRuleFields(db: Db, accountUuid: string): Promise<(Named & { gate_key: string })[]> {
  const { rows } = await sql<Named & { gate_key: string }>`
    select c.uuid, c.name, coalesce(c.gate_key, '') as gate_key
    from customfield c
    where c.account_uuid = ${accountUuid} and c.object = 'Study' and c.deleted_at is null
    order by lower(c.name), c.uuid
  `.execute(db)
  return rows
}
