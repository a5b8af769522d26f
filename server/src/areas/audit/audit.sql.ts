import type { AuditAct, AuditKind } from '@hilum/contract/audit-acts'
import { type RawBuilder, sql } from 'kysely'
import type { Caller, LinkCaller } from '../../access/caller.ts'
import type { Db } from '../../db/database.ts'
import { totalColumn } from '../list-page.sql.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'

/** Columns that the audit of one object is found by. */
export const auditColumns = {
  action: { kind: 'exact', column: sql.ref('a.action') },
  type: { kind: 'exact', column: sql.ref('a.type') },
  when: { kind: 'stamp', column: sql.ref('a.at') },
} as const satisfies FilterColumns

/** Something that happened, as history and audit show it. Written in the transaction of the act itself. */
export interface AuditEntry {
  accountUuid: string | null
  /** The actor; without one the system acted. */
  caller:
    | (Pick<Caller, 'userUuid' | 'name' | 'clientAddress'> & Partial<Pick<Caller, 'kind' | 'proxy'>>)
    | Pick<LinkCaller, 'kind' | 'linkUuid' | 'name' | 'clientAddress'>
    | undefined
  action: AuditAct
  /** The kind of object. */
  type: AuditKind
  objectUuid?: string
  phiNamespace?: string
  /** For EDIT: `{field: [old, new]}`. */
  detail?: Record<string, unknown>
}

export async function writeAudit(db: Db, entry: AuditEntry): Promise<void> {
  await sql`
    insert into audit (account_uuid, actor, actor_kind, actor_name, action, type, object_uuid, phi_namespace, detail,
      client_address, proxy)
    values (${entry.accountUuid}, ${actorIn(entry.caller)}, ${kindOf(entry.caller)}, ${entry.caller?.name ?? ''}, ${entry.action},
      ${entry.type}, ${entry.objectUuid ?? null}, ${entry.phiNamespace ?? null}, ${JSON.stringify(entry.detail ?? {})}::jsonb,
      ${entry.caller?.clientAddress ?? ''}, ${proxyIn(entry.caller)})
  `.execute(db)
}

/** The actor as another account learns of it: by name, without the address in the network. */
export function asOutside(caller: AuditEntry['caller']): AuditEntry['caller'] {
  return caller && { ...caller, clientAddress: '' }
}

function actorIn(caller: AuditEntry['caller']): string | null {
  if (!caller) return null
  return caller.kind === 'link' ? caller.linkUuid : caller.userUuid
}

/** The supporter who was signed in as the actor; empty otherwise. */
function proxyIn(caller: AuditEntry['caller']): string {
  return caller && 'proxy' in caller ? (caller.proxy?.name ?? '') : ''
}

/** The kind of actor: a person, a program with a person's key, an opened link, or the installation itself. */
function kindOf(caller: AuditEntry['caller']): 'user' | 'key' | 'link' | 'system' {
  return caller ? (caller.kind ?? 'user') : 'system'
}

/** Notes what was done to a study, in the history of its account. */
export function writeStudyAudit(
  db: Db,
  caller: AuditEntry['caller'],
  record: { account_uuid: string; uuid: string; phi_namespace: string },
  action: AuditAct,
  detail?: Record<string, unknown>,
): Promise<void> {
  return writeAudit(db, {
    accountUuid: record.account_uuid,
    caller,
    action,
    type: 'Study',
    objectUuid: record.uuid,
    phiNamespace: record.phi_namespace,
    ...(detail ? { detail } : {}),
  })
}

export interface AuditRow {
  id: number
  action: string
  type: string
  actor_name: string
  actor_kind: string
  proxy: string
  at: string
  detail: Record<string, unknown>
  client_address: string
}

/** Audit rows of one object, newest first, or oldest first when reversed. */
export async function listAuditOfObject(
  db: Db,
  objectUuid: string,
  where: RawBuilder<unknown>,
  page: { limit: number; offset: number; isReversed: boolean },
): Promise<AuditRow[]> {
  const direction = page.isReversed ? sql`asc` : sql`desc`
  const { rows } = await sql<AuditRow>`
    select a.id, a.action, a.type, a.actor_name, coalesce(a.actor_kind, '') as actor_kind, a.proxy,
      to_char(a.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as at, a.detail, a.client_address,
      ${totalColumn}
    from audit a
    where a.object_uuid = ${objectUuid}
      and ${where}
    order by a.at ${direction}, a.id ${direction}
    limit ${page.limit}
    offset ${page.offset}
  `.execute(db)
  return rows
}
