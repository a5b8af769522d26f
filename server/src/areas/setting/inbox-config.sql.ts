import { type InboxConfig, inboxConfig } from '@hilum/contract/inbox-config'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { parseJson } from './parse-json.ts'
import { findSetting } from './setting.sql.ts'

/** How a group works, from its setting as it is stored; undefined where that was never set or cannot be read. */
export function inboxConfigOf(stored: string | undefined): InboxConfig | undefined {
  const read = inboxConfig.safeParse(stored === undefined ? undefined : parseJson(stored))
  return read.success ? read.data : undefined
}

/** How the group of a namespace works; undefined where that was never set or cannot be read. */
export async function findInboxConfig(db: Db, namespaceUuid: string): Promise<InboxConfig | undefined> {
  return inboxConfigOf(await findSetting(db, 'namespace', namespaceUuid, 'inbox_config'))
}

/** Groups and locations of an account whose settings can be read, with what they are and how they work, by name. */
export async function listInboxConfigs(
  db: Db,
  accountUuid: string,
): Promise<{ name: string; designation: string; config: InboxConfig }[]> {
  const { rows } = await sql<{ name: string; designation: string; stored: string }>`
    select g.name, g.designation, s.value as stored
    from app_group g
    join setting s on s.scope = 'namespace' and s.scope_uuid = g.namespace_uuid and s.key = 'inbox_config'
    where g.account_uuid = ${accountUuid}
    order by lower(g.name), g.uuid
  `.execute(db)
  return rows.flatMap(({ name, designation, stored }) => {
    const config = inboxConfigOf(stored)
    return config ? [{ name, designation, config }] : []
  })
}
