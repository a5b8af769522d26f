import { type Permission, type PermissionSet, permissions, withinScope } from '@hilum/contract/permissions'
import { roleTemplates } from '@hilum/contract/roles'
import type { FieldFlags } from '@hilum/contract/study-field-access'
import type { Log } from '../log.ts'
import type { Db } from '../db/database.ts'
import type { Asker, Caller, LinkCaller, Membership } from './caller.ts'
import { readStoredFieldFlags } from './stored-field-flags.ts'
import { listMembershipsOfUser, type MembershipRow } from './membership.sql.ts'
import { rememberMemberships } from './remembered-memberships.ts'
import { findLiveSession, findLiveSessionByUuid, type SessionRow, touchSession } from './session.sql.ts'
import { digestOf, md5Of } from './sid.ts'

const known: ReadonlySet<string> = new Set(permissions)
/** On one's own namespace everything is allowed that an administrator may do. */
const ownerPermissions: ReadonlySet<Permission> = new Set(roleTemplates.find((role) => role.type === 'admin')?.holds)

/**
 * The asker behind a session token, or undefined when there is no such live session. Puts off the idle end, but for
 * `isPoll`: polls and checks do not extend a session.
 */
export async function findCaller(
  db: Db,
  sid: string,
  clientAddress: string,
  options: { isPoll?: boolean; log?: Log } = {},
): Promise<Asker | undefined> {
  const askedAt = performance.now()
  const row = await findLiveSession(db, digestOf(sid))
  if (!row) return undefined
  if (row.needs_touch && !options.isPoll) await touchSession(db, row.session_uuid)
  return askerOf(db, row, { sidMd5: md5Of(sid), clientAddress, askedAt }, options.log)
}

/** The same as the session, the person and the roles are at this moment; undefined once the session is over. */
export async function findCallerAgain(
  db: Db,
  { sessionUuid, sidMd5, clientAddress }: Pick<Asker, 'sessionUuid' | 'sidMd5' | 'clientAddress'>,
  log?: Log,
): Promise<Asker | undefined> {
  const askedAt = performance.now()
  const row = await findLiveSessionByUuid(db, sessionUuid)
  return row && askerOf(db, row, { sidMd5, clientAddress, askedAt }, log)
}

async function askerOf(
  db: Db,
  row: SessionRow,
  from: Pick<Asker, 'sidMd5' | 'clientAddress' | 'askedAt'>,
  log: Log | undefined,
): Promise<Asker> {
  const all = await membershipsOfSession(db, row, (rows) => readMemberships(rows, log))
  let memberships: readonly Membership[] | undefined
  const session = {
    sessionUuid: row.session_uuid,
    ...from,
    memberships: async () => (memberships ??= narrowTo(row, all)),
  }
  const { link_uuid: linkUuid, user_uuid: userUuid, namespace_uuid: namespaceUuid } = row
  if (linkUuid !== null) {
    const derivedStudies = new Set(row.studies)
    return { kind: 'link', linkUuid, name: 'Link', derivedStudies, ...session } satisfies LinkCaller
  }
  if (userUuid === null || namespaceUuid === null) throw new Error('A session of nobody')
  return {
    kind: row.scope ? 'key' : 'user',
    userUuid,
    name: `${row.first_name} ${row.last_name}`.trim() || row.email,
    email: row.email,
    namespaceUuid,
    sysadmin: row.sysadmin && !row.scope && row.proxy_by === null,
    support: row.support && !row.scope && row.proxy_by === null,
    timeZone: row.time_zone,
    ...(row.proxy_by === null ? {} : { proxy: { userUuid: row.proxy_by, name: row.proxy_name } }),
    ...(row.studies ? { derivedStudies: new Set(row.studies) } : {}),
    ...session,
  } satisfies Caller
}

function membershipsOfSession(
  db: Db,
  { user_uuid: userUuid, memberships, rights_epoch: epoch }: SessionRow,
  read: (rows: readonly MembershipRow[]) => readonly Membership[],
): Promise<readonly Membership[]> | readonly Membership[] {
  if (userUuid === null) return read(memberships ?? [])
  return rememberMemberships(db, { userUuid, epoch }, read)
}

/**
 * Of every right what a key's scope holds, and of all places the one that the key is for, without the rights of its user
 * in the account around. A supporter who signed in as somebody has the places of one account, without the person's own;
 * any other session has all.
 */
function narrowTo(
  { scope, only_namespace: only, only_account: account }: Pick<SessionRow, 'scope' | 'only_namespace' | 'only_account'>,
  memberships: readonly Membership[],
): readonly Membership[] {
  if (account !== null) return memberships.filter((one) => one.kind !== 'user' && one.accountUuid === account)
  if (!scope) return memberships
  const granted = new Set(scope)
  const places = only === null ? memberships : memberships.filter((one) => one.namespaceUuid === only)
  return places.map((one) => ({
    ...one,
    permissions: withinScope(one.permissions, granted),
    inAccount: only === null ? withinScope(one.inAccount, granted) : none,
  }))
}

/** Whether a sid opens calls at this moment: a derived session only reads images. */
export async function isLiveSid(db: Db, sid: string): Promise<boolean> {
  const row = await findLiveSession(db, digestOf(sid))
  return row !== undefined && row.studies === null
}

/**
 * The place that a person has in a namespace at this moment, for work that a request left behind: what was permitted then
 * may not be any more.
 */
export async function findMembershipOf(
  db: Db,
  userUuid: string,
  namespaceUuid: string,
  log: Log,
): Promise<Membership | undefined> {
  const memberships = readMemberships(await listMembershipsOfUser(db, userUuid), log)
  return memberships.find((one) => one.namespaceUuid === namespaceUuid)
}

function readMemberships(rows: readonly MembershipRow[], log: Log | undefined): readonly Membership[] {
  const roles = new Map<string | null, PermissionSet>()
  for (const { role_uuid, permissions } of rows) {
    if (permissions !== null) roles.set(role_uuid, readPermissions(permissions))
  }
  const heldBy = ({ role_uuid }: MembershipRow): PermissionSet =>
    role_uuid === null ? ownerPermissions : (roles.get(role_uuid) ?? none)
  const heldWith = new Map(rows.map((row) => [row.owner_uuid, heldBy(row)]))
  return rows.map((row) => ({
    namespaceUuid: row.namespace_uuid,
    kind: row.kind,
    ownerUuid: row.owner_uuid,
    accountUuid: row.account_uuid,
    name: row.name,
    roleUuid: row.role_uuid ?? '',
    permissions: heldBy(row),
    inAccount: heldWith.get(row.account_uuid) ?? none,
    fieldFlags: {
      ...readFlags(row.role_fields, row.role_uuid ?? '', log),
      ...readFlags(row.namespace_fields, row.namespace_uuid, log),
    },
  }))
}

const none: PermissionSet = new Set()

/** Owners of flags that could not be read, each told of once; they are few, being broken by hand. */
const logged = new Set<string>()

function readFlags(stored: string | null, ownerUuid: string, log: Log | undefined): FieldFlags {
  const { flags, isReadable } = readStoredFieldFlags(stored)
  if (!isReadable && log && !logged.has(ownerUuid)) {
    logged.add(ownerUuid)
    log.warn({ event: 'study_field_flags not readable', owner: ownerUuid })
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
