import { type Permission, type PermissionSet, permissions } from '@hilum/contract/permissions'
import { roleTemplates } from '@hilum/contract/roles'
import type { FieldFlags } from '@hilum/contract/study-field-access'
import type { Logger } from 'pino'
import type { Db } from '../db/database.ts'
import type { Caller, Membership } from './caller.ts'
import { readKeptFieldFlags } from './kept-field-flags.ts'
import { listMembershipsOfUser, type MembershipRow } from './membership.sql.ts'
import { findLiveSession, touchSession } from './session.sql.ts'
import { digestOf, md5Of } from './sid.ts'

const known: ReadonlySet<string> = new Set(permissions)
/** On one's own namespace everything is allowed that an administrator may do. */
const ownerPermissions: ReadonlySet<Permission> = new Set(roleTemplates.find((role) => role.type === 'admin')?.holds)

/**
 * The caller behind a session token, or undefined when there is no such live session. Puts off the idle end, but for
 * `keepsIdle`: polls and checks do not extend a session.
 */
export async function findCaller(
  db: Db,
  sid: string,
  clientAddress: string,
  options: { keepsIdle?: boolean; log?: Logger } = {},
): Promise<Caller | undefined> {
  const row = await findLiveSession(db, digestOf(sid))
  if (!row) return undefined
  if (row.needs_touch && !options.keepsIdle) await touchSession(db, row.session_uuid)
  let memberships: readonly Membership[] | undefined
  return {
    sessionUuid: row.session_uuid,
    userUuid: row.user_uuid,
    name: `${row.first_name} ${row.last_name}`.trim() || row.email,
    email: row.email,
    namespaceUuid: row.namespace_uuid,
    sysadmin: row.sysadmin,
    support: row.support,
    timeZone: row.time_zone,
    sidMd5: md5Of(sid),
    ...(row.studies ? { derivedStudies: new Set(row.studies) } : {}),
    clientAddress,
    memberships: async () => (memberships ??= readMemberships(row.memberships, options.log)),
  }
}

/**
 * The place that a person has in a namespace at this moment, for work that a request left behind: what was permitted then
 * may not be any more.
 */
export async function findMembershipOf(
  db: Db,
  userUuid: string,
  namespaceUuid: string,
  log: Logger,
): Promise<Membership | undefined> {
  const memberships = readMemberships(await listMembershipsOfUser(db, userUuid), log)
  return memberships.find((one) => one.namespaceUuid === namespaceUuid)
}

function readMemberships(rows: readonly MembershipRow[], log: Logger | undefined): readonly Membership[] {
  const roles = new Map<string, PermissionSet>()
  for (const { role_uuid, permissions } of rows) {
    if (role_uuid !== null && permissions !== null) roles.set(role_uuid, readPermissions(permissions))
  }
  return rows.map((row) => ({
    namespaceUuid: row.namespace_uuid,
    kind: row.kind,
    ownerUuid: row.owner_uuid,
    accountUuid: row.account_uuid,
    name: row.name,
    roleUuid: row.role_uuid ?? '',
    permissions: row.role_uuid === null ? ownerPermissions : (roles.get(row.role_uuid) ?? none),
    fieldFlags: {
      ...readFlags(row.role_fields, row.role_uuid ?? '', log),
      ...readFlags(row.namespace_fields, row.namespace_uuid, log),
    },
  }))
}

const none: PermissionSet = new Set()

/** Owners of flags that could not be read, each told of once; they are few, being broken by hand. */
const told = new Set<string>()

function readFlags(kept: string | null, ownerUuid: string, log: Logger | undefined): FieldFlags {
  const { flags, isReadable } = readKeptFieldFlags(kept)
  if (!isReadable && log && !told.has(ownerUuid)) {
    told.add(ownerUuid)
    log.warn({ event: 'study_field_flags not readable, fields are hidden', owner: ownerUuid })
  }
  return flags
}

const MAX_REMEMBERED = 1000
const remembered = new Map<string, PermissionSet>()

/** A role's permissions are read anew with each request but hardly ever differ, so their text is taken apart once. */
function readPermissions(text: string): PermissionSet {
  const known = remembered.get(text)
  if (known) return known
  const read = new Set(text.slice(1, -1).split(',').filter(isPermission))
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(text, read)
  return read
}

function isPermission(name: string): name is Permission {
  return known.has(name)
}
