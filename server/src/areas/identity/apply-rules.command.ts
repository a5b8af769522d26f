import type { Tx } from '../../db/database.ts'
import { deleteGroupMember, listGroupPlaces } from '../account/group-places.sql.ts'
import { findDefaultRole, leftWithout, listAdministered, updateMemberRole } from '../account/member.sql.ts'
import { addGroupMember } from '../group/group-write.sql.ts'
import type { ProviderRow, ClaimRuleRow } from './provider.sql.ts'

/** Roles and groups that the rules of a provider give to somebody. */
export interface GivenByClaims {
  /**
   * Role in the account. `kept`: no rule speaks of such roles, and members keep theirs. `none`: no rule gives one, and such
   * people are refused.
   */
  role: { kind: 'given'; uuid: string } | { kind: 'kept' } | { kind: 'none' }
  /** Every group that a rule names, with the role there for whom a rule fits: empty for the group's default. */
  groups: ReadonlyMap<string, string | undefined>
}

export function readRules(
  rules: readonly ClaimRuleRow[],
  provider: Pick<ProviderRow, 'unmapped_role_uuid'>,
  values: readonly string[],
): GivenByClaims {
  const held = new Set(values)
  const ofAccount = rules.filter((one) => one.group_uuid === null)
  const fitting = ofAccount.find((one) => held.has(one.value))?.role_uuid ?? provider.unmapped_role_uuid
  const groups = new Map<string, string | undefined>()
  for (const { group_uuid: group, role_uuid: role, value } of rules) {
    if (group && groups.get(group) === undefined) groups.set(group, held.has(value) ? (role ?? '') : undefined)
  }
  if (ofAccount.length === 0) return { role: { kind: 'kept' }, groups }
  return { role: fitting ? { kind: 'given', uuid: fitting } : { kind: 'none' }, groups }
}

/** The role with which a new person begins; undefined where none is given. */
export async function roleOfNew(tx: Tx, provider: ProviderRow, { role }: GivenByClaims): Promise<string | undefined> {
  if (role.kind === 'given') return role.uuid
  if (role.kind === 'none') return undefined
  return provider.unmapped_role_uuid ?? (await findDefaultRole(tx, provider.account_uuid))
}

/**
 * Brings a member's role and groups to what the rules give; the account's people are locked. The last administrator keeps
 * that role.
 * @returns old and new value by field, for the record
 */
export async function applyRules(
  tx: Tx,
  accountUuid: string,
  person: { uuid: string; role_uuid: string },
  given: GivenByClaims,
): Promise<Record<string, unknown>> {
  return {
    ...(await applyRole(tx, accountUuid, person, given)),
    ...(await applyGroups(tx, accountUuid, person.uuid, given.groups)),
  }
}

async function applyRole(
  tx: Tx,
  accountUuid: string,
  person: { uuid: string; role_uuid: string },
  { role }: GivenByClaims,
): Promise<Record<string, unknown>> {
  if (role.kind !== 'given' || role.uuid === person.role_uuid) return {}
  const before = await listAdministered(tx, [accountUuid])
  await updateMemberRole(tx, accountUuid, person.uuid, role.uuid)
  const isLast = leftWithout(before, await listAdministered(tx, [accountUuid])).length > 0
  if (!isLast) return { role_id: [person.role_uuid, role.uuid] }
  await updateMemberRole(tx, accountUuid, person.uuid, person.role_uuid)
  return { role_kept: 'LAST_ADMINISTRATOR' }
}

/** Groups that no rule names stay as they are. */
async function applyGroups(
  tx: Tx,
  accountUuid: string,
  userUuid: string,
  wanted: GivenByClaims['groups'],
): Promise<Record<string, unknown>> {
  if (wanted.size === 0) return {}
  const places = (await listGroupPlaces(tx, accountUuid, userUuid)).filter((one) => wanted.has(one.uuid))
  const left = places.filter((one) => wanted.get(one.uuid) === undefined && one.own_role !== null)
  let isChanged = left.length > 0
  for (const { uuid, own_role: before } of places) {
    const role = wanted.get(uuid)
    if (role === undefined || role === before) continue
    isChanged = true
    await addGroupMember(tx, uuid, userUuid, role || undefined)
  }
  if (left.length > 0) {
    const uuids = left.map((one) => one.uuid)
    await deleteGroupMember(tx, uuids, userUuid)
  }
  if (!isChanged) return {}
  const before = places.filter((one) => one.own_role !== null).map((one) => one.uuid)
  return { groups: [before, places.map((one) => one.uuid).filter((uuid) => wanted.get(uuid) !== undefined)] }
}
