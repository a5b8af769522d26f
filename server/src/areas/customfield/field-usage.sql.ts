import type { CustomFieldObject } from '@hilum/contract/calls/customfield'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { listInboxConfigs } from '../setting/inbox-config.sql.ts'
import type { CustomFieldRow } from './customfield.sql.ts'

/** How many objects have a value in a field. Reads every filled row of the account: for one question before a deletion. */
export async function countValues(db: Db, field: CustomFieldRow): Promise<number> {
  const filled = rowsOf[field.object]
  if (!filled) return 0 // values of other objects are kept nowhere
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from ${filled.table} o
    where ${filled.account} = ${field.account_uuid} and ${filled.ofKind}
      and o.customfields <> '{}'
      and coalesce(o.customfields ->> ${field.uuid}::text, '') <> ''
  `.execute(db)
  return rows[0]?.count ?? 0
}

const byAccount = { account: sql`o.account_uuid`, ofKind: sql`true` }
/** Rows that hold the values of each kind of object. */
const rowsOf: Partial<Record<CustomFieldObject, Record<'table' | 'account' | 'ofKind', RawBuilder<unknown>>>> = {
  Study: { ...byAccount, table: sql.table('study') },
  Order: { ...byAccount, table: sql.table('imaging_order') },
  User_account: { ...byAccount, table: sql.table('account_user') },
  Group: { ...byAccount, table: sql.table('app_group'), ofKind: sql`o.kind = 'group'` },
  Location: { ...byAccount, table: sql.table('app_group'), ofKind: sql`o.kind = 'location'` },
  Account: { table: sql.table('account'), account: sql`o.uuid`, ofKind: sql`true` },
}

/** Names of what would change its meaning, or fail, without a field: routing rules, and groups whose form asks for it. */
export async function listUsesOfField(
  db: Db,
  accountUuid: string,
  fieldUuid: string,
): Promise<{ routes: string[]; groups: string[] }> {
  return {
    routes: await listRulesOnField(db, accountUuid, fieldUuid),
    groups: await listFormsThatAsk(db, accountUuid, fieldUuid),
  }
}

/** Names of the groups whose nomination form asks for a field, as far as their settings can be read. */
async function listFormsThatAsk(db: Db, accountUuid: string, fieldUuid: string): Promise<string[]> {
  return (await listInboxConfigs(db, accountUuid))
    .filter(({ config }) => config.pacs_form_customfields.some((one) => one.toLowerCase() === fieldUuid))
    .map(({ name }) => name)
}

/** Names of the routing rules that have a condition on a field. */
async function listRulesOnField(db: Db, accountUuid: string, fieldUuid: string): Promise<string[]> {
  const condition = JSON.stringify([{ lv: `customfield-${fieldUuid}` }])
  const { rows } = await sql<{ name: string }>`
    select r.name
    from routing_rule r
    where r.account_uuid = ${accountUuid} and r.deleted_at is null and lower(r.conditions::text)::jsonb @> ${condition}::jsonb
    order by r.sequence, r.uuid
  `.execute(db)
  return rows.map((row) => row.name)
}
