import type { AuditAct } from '@hilum/contract/audit-acts'
import { randomUUID } from 'node:crypto'
import { ApiError } from '@hilum/contract/errors'
import { isAeTitle } from '@hilum/dicom/dimse/ae-title'
import type { Tx } from '../../db/database.ts'
import { type AuditEntry, writeAudit } from '../audit/audit.sql.ts'
import { findNodeByTitle } from './node.sql.ts'
import {
  findFirstNode,
  findNodeByAeTitle,
  insertOwnNode,
  lockTitles,
  type OwnNode,
  updateOwnNode,
} from './own-node.sql.ts'

const maxNameLength = 200
const firstTitle = 'HILUM_NODE'
const firstName = 'Hilum'

/** Makes a node of our own. @throws ApiError INVALID_VALUE, DUP_AETITLE */
export async function addOwnNode(
  tx: Tx,
  caller: AuditEntry['caller'],
  options: { accountUuid: string; name: string; aetitle: string },
): Promise<OwnNode> {
  const node = {
    uuid: randomUUID(),
    account_uuid: options.accountUuid,
    type: 'VIRTUAL' as const,
    ...(await readValues(tx, options)),
  }
  const serial_no = await insertOwnNode(tx, node)
  await auditNode(tx, caller, node, 'CREATE', { name: node.name, aetitle: node.aetitle })
  return { ...node, serial_no }
}

/** Changes a node of our own. @throws ApiError INVALID_VALUE, DUP_AETITLE */
export async function setOwnNode(
  tx: Tx,
  caller: AuditEntry['caller'],
  before: OwnNode,
  options: { name?: string | undefined; aetitle?: string | undefined },
): Promise<void> {
  const after = await readValues(
    tx,
    { name: options.name ?? before.name, aetitle: options.aetitle ?? before.aetitle },
    before,
  )
  await updateOwnNode(tx, before.uuid, after)
  const changed = (['name', 'aetitle'] as const).filter((field) => before[field] !== after[field])
  const detail = Object.fromEntries(changed.map((field) => [field, [before[field], after[field]]]))
  await auditNode(tx, caller, before, 'EDIT', detail)
}

/** The node by which an account calls where none is named; made when there is none. */
export async function firstNodeOf(tx: Tx, caller: AuditEntry['caller'], accountUuid: string): Promise<OwnNode> {
  await lockTitles(tx)
  const existing = await findFirstNode(tx, accountUuid)
  if (existing) return existing
  for (let number = 1; ; number += 1) {
    const aetitle = number === 1 ? firstTitle : `${firstTitle}_${number}`
    if (!(await isTaken(tx, aetitle))) return addOwnNode(tx, caller, { accountUuid, name: firstName, aetitle })
  }
}

async function readValues(tx: Tx, options: { name: string; aetitle: string }, before?: OwnNode) {
  const name = options.name.trim()
  const aetitle = options.aetitle.trim()
  if (name === '' || name.length > maxNameLength) throw new ApiError('INVALID_VALUE', { subtype: 'name' })
  if (!isAeTitle(aetitle)) throw new ApiError('INVALID_VALUE', { subtype: 'aetitle' })
  if (aetitle !== before?.aetitle) {
    await lockTitles(tx)
    if (await isTaken(tx, aetitle)) throw new ApiError('DUP_AETITLE')
  }
  return { name, aetitle }
}

async function isTaken(tx: Tx, aetitle: string): Promise<boolean> {
  return (await findNodeByTitle(tx, aetitle)) !== undefined || (await findNodeByAeTitle(tx, aetitle)) !== undefined
}

export function auditNode(
  tx: Tx,
  caller: AuditEntry['caller'],
  node: Pick<OwnNode, 'uuid' | 'account_uuid'>,
  action: AuditAct,
  detail: Record<string, unknown>,
): Promise<void> {
  return writeAudit(tx, {
    accountUuid: node.account_uuid,
    caller,
    action,
    type: 'Node',
    objectUuid: node.uuid,
    detail,
  })
}
