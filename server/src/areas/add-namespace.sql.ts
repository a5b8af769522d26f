import { sql } from 'kysely'
import type { NamespaceKind } from '../access/caller.ts'
import type { Db } from '../db/database.ts'

/** Adds the place of an account, a group, a location or a person, where studies lie. */
export async function addNamespace(
  db: Db,
  namespace: { uuid: string; kind: NamespaceKind; ownerUuid: string; accountUuid: string; name: string },
): Promise<void> {
  await sql`
    insert into namespace (uuid, kind, owner_uuid, account_uuid, name)
    values (${namespace.uuid}, ${namespace.kind}, ${namespace.ownerUuid}, ${namespace.accountUuid}, ${namespace.name})
  `.execute(db)
}
