import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { listInboxConfigs } from '../setting/inbox-config.sql.ts'

/** Names of what would fail, or change its meaning, without a destination, place or role. */
interface Uses {
  /** Routing rules. */
  routes: string[]
  /** Groups whose inbox is configured with it. */
  groups: string[]
}

interface UsesOfPlace extends Uses {
  /** Destinations that are open to it and not to all. */
  destinations: string[]
}

/** Whether anything uses it. */
export const isUsed = (uses: Uses | UsesOfPlace) => Object.values(uses).some((names: string[]) => names.length > 0)

/** Names of the routing rules that push to a destination, and of the gatekeeper groups that name it. */
export async function listUsesOfDestination(db: Db, accountUuid: string, uuid: string): Promise<Uses> {
  return {
    routes: await listRulesWhere(db, accountUuid, hasAction([{ destination: uuid }])),
    groups: await listGroupsWith(db, accountUuid, 'pushable_destinations', uuid),
  }
}

/**
 * Names of the routing rules that are for a group or location or share with it, by name or code, of the groups that
 * nominate to it, and of the destinations that are limited to it and others.
 */
export async function listUsesOfPlace(
  db: Db,
  accountUuid: string,
  { uuid, namespaceUuid }: { uuid: string; namespaceUuid: string },
): Promise<UsesOfPlace> {
  return {
    routes: await listRulesWhere(
      db,
      accountUuid,
      sql`(r.namespace_uuid = ${namespaceUuid} or ${namespaceUuid}::uuid = any(r.other_namespaces)
        or ${hasAction([{ namespace: namespaceUuid }], [{ to: { uuid } }])})`,
    ),
    groups: await listGroupsWith(db, accountUuid, 'pacs_promote_groups', uuid),
    destinations: await listDestinationsOpenTo(db, accountUuid, uuid),
  }
}

/** Names of the routing rules that share with a person, by name or code. */
export async function listRulesThatShareWith(db: Db, accountUuid: string, userUuid: string): Promise<string[]> {
  const { rows } = await sql<{ namespace_uuid: string }>`
    select u.namespace_uuid from app_user u where u.uuid = ${userUuid}
  `.execute(db)
  if (!rows[0]) return []
  return listRulesWhere(
    db,
    accountUuid,
    hasAction([{ namespace: rows[0].namespace_uuid }], [{ to: { uuid: userUuid } }]),
  )
}

/** Names of the routing rules that people of a role start by hand; not of those that keep it from a time when they did. */
export async function listRulesOfRole(db: Db, accountUuid: string, roleUuid: string): Promise<string[]> {
  return listRulesWhere(
    db,
    accountUuid,
    sql`('on_manual_route' = any(r.flags) and ${roleUuid}::uuid = any(r.manual_roles))`,
  )
}

/** Condition that an action of rule `r` has the fields of one of these. */
function hasAction(...actions: readonly object[][]): RawBuilder<unknown> {
  const contained = actions.map((one) => sql`r.actions @> ${JSON.stringify(one)}::jsonb`)
  return sql`(${sql.join(contained, sql` or `)})`
}

/** Names of the rules `r` of an account of which a condition is true, in their order. */
async function listRulesWhere(db: Db, accountUuid: string, condition: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select r.name
    from routing_rule r
    where r.account_uuid = ${accountUuid} and r.deleted_at is null and ${condition}
    order by r.sequence, r.uuid
  `.execute(db)
  return rows.map((row) => row.name)
}

async function listDestinationsOpenTo(db: Db, accountUuid: string, groupUuid: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select d.name
    from destination d
    where d.account_uuid = ${accountUuid} and d.deleted_at is null and ${groupUuid}::uuid = any(d.group_uuids)
    order by d.name, d.uuid
  `.execute(db)
  return rows.map((row) => row.name)
}

/** Names of groups with it in their settings, as far as these are read: a group keeps what it named as another kind. */
async function listGroupsWith(
  db: Db,
  accountUuid: string,
  field: 'pushable_destinations' | 'pacs_promote_groups',
  uuid: string,
): Promise<string[]> {
  const isOfKind = (designation: string) => (designation === 'GATEKEEPER') === (field === 'pushable_destinations')
  return (await listInboxConfigs(db, accountUuid))
    .filter(
      ({ designation, config }) => isOfKind(designation) && config[field].some((one) => one.toLowerCase() === uuid),
    )
    .map(({ name }) => name)
}
