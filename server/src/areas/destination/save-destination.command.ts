import { ApiError } from '@hilum/contract/errors'
import type { Tx } from '../../db/database.ts'
import { type AuditEntry, writeAudit } from '../audit/audit.sql.ts'
import { findOwnNode } from '../node/own-node.sql.ts'
import { firstNodeOf } from '../node/save-own-node.command.ts'
import { askOfForeignMrns } from '../routing/ask-again.command.ts'
import { countGroups, type DestinationRow, hasSamePeer, saveDestination } from './destination.sql.ts'

/**
 * Writes a destination whose values were read.
 * @param before undefined for a new one
 * @throws ApiError NODE_NOT_FOUND, DUP_AETITLE, INVALID_VALUE for groups of another account
 */
export async function storeDestination(
  tx: Tx,
  caller: AuditEntry['caller'],
  before: DestinationRow | undefined,
  wanted: DestinationRow,
  named: { nodeUuid: string | undefined; groupUuids: readonly string[] | undefined },
): Promise<void> {
  const after = {
    ...wanted,
    node_uuid: await nodeFor(tx, caller, wanted, named.nodeUuid),
    group_uuids: await groupsFor(tx, wanted, named.groupUuids),
  }
  if (await hasSamePeer(tx, after)) throw new ApiError('DUP_AETITLE')
  await saveDestination(tx, after)
  if (before && after.push_foreign && !before.push_foreign) await askOfForeignMrns(tx, after.account_uuid)
  await writeAudit(tx, {
    accountUuid: after.account_uuid,
    caller,
    action: before ? 'EDIT' : 'CREATE',
    type: 'Destination',
    objectUuid: after.uuid,
    detail: before ? changesOf(before, after) : { name: after.name, aetitle: after.aetitle, address: after.address },
  })
}

async function nodeFor(
  tx: Tx,
  caller: AuditEntry['caller'],
  { account_uuid, node_uuid }: DestinationRow,
  named: string | undefined,
): Promise<string> {
  if (named === undefined) return node_uuid || (await firstNodeOf(tx, caller, account_uuid)).uuid
  const node = await findOwnNode(tx, named)
  if (node?.account_uuid !== account_uuid) throw new ApiError('NODE_NOT_FOUND')
  return node.uuid
}

async function groupsFor(tx: Tx, one: DestinationRow, named: readonly string[] | undefined): Promise<string[] | null> {
  if (named === undefined) return one.group_uuids
  const wanted = [...new Set(named.map((uuid) => uuid.toLowerCase()))].sort()
  if (wanted.length === 0) return null
  // a group that was deleted while the destination named it: taken out by whoever saves it without, as others are
  const known = new Set(one.group_uuids)
  const added = wanted.filter((uuid) => !known.has(uuid))
  if ((await countGroups(tx, one.account_uuid, added)) !== added.length)
    throw new ApiError('INVALID_VALUE', { subtype: 'group_ids' })
  return wanted
}

const audited = [
  'name',
  'aetitle',
  'address',
  'port',
  'node_uuid',
  'uses_tls',
  'can_search',
  'can_search_mwl',
  'can_query_retrieve',
  'can_push',
  'push_unchecked',
  'push_foreign',
  'can_commit',
  'retrieve_method',
  'group_uuids',
  'max_associations',
  'sort_order',
] as const satisfies readonly (keyof DestinationRow)[]

function changesOf(before: DestinationRow, after: DestinationRow): Record<string, unknown> {
  const changed = audited.filter((field) => String(before[field]) !== String(after[field]))
  const detail: Record<string, unknown> = Object.fromEntries(
    changed.map((field) => [field, [before[field], after[field]]]),
  )
  if (before.tls_certificate !== after.tls_certificate) detail['tls_certificate'] = 'changed'
  return detail
}
