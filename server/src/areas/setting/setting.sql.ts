import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export type SettingScope = 'account' | 'role' | 'namespace' | 'user' | 'session'

export async function findSetting(
  db: Db,
  scope: SettingScope,
  scopeUuid: string,
  key: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    select value
    from setting
    where scope = ${scope} and scope_uuid = ${scopeUuid} and key = ${key}
  `.execute(db)
  return rows[0]?.value
}

/** All settings of one scope, or only the named ones. */
export async function listSettings(
  db: Db,
  scope: SettingScope,
  scopeUuid: string,
  keys?: readonly string[],
): Promise<Record<string, string>> {
  const all = await listSettingsOf(db, scope, [scopeUuid])
  const settings = all.get(scopeUuid) ?? {}
  return keys ? Object.fromEntries(Object.entries(settings).filter(([key]) => keys.includes(key))) : settings
}

/** The settings of many at once, by uuid. */
export async function listSettingsOf(
  db: Db,
  scope: SettingScope,
  scopeUuids: readonly string[],
): Promise<Map<string, Record<string, string>>> {
  const { rows } = await sql<{ scope_uuid: string; settings: Record<string, string> }>`
    select scope_uuid, jsonb_object_agg(key, value) as settings
    from setting
    where scope = ${scope} and scope_uuid = any(${scopeUuids as string[]}::uuid[])
    group by scope_uuid
  `.execute(db)
  return new Map(rows.map((row) => [row.scope_uuid, row.settings]))
}

export async function countSettings(db: Db, scope: SettingScope, scopeUuid: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from setting
    where scope = ${scope} and scope_uuid = ${scopeUuid}
  `.execute(db)
  return rows[0]?.count ?? 0
}

export async function putSetting(
  db: Db,
  scope: SettingScope,
  scopeUuid: string,
  key: string,
  value: string,
): Promise<void> {
  await sql`
    insert into setting (scope, scope_uuid, key, value)
    values (${scope}, ${scopeUuid}, ${key}, ${value})
    on conflict (scope, scope_uuid, key) do update
    set value = excluded.value, version = setting.version + 1
  `.execute(db)
}

export async function deleteSetting(db: Db, scope: SettingScope, scopeUuid: string, key: string): Promise<void> {
  await sql`
    delete from setting
    where scope = ${scope} and scope_uuid = ${scopeUuid} and key = ${key}
  `.execute(db)
}
