import { isAeTitle } from '@hilum/dicom/dimse/ae-title'
import type { Database, Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { deleteSetting, putSetting } from '../setting/setting.sql.ts'
import { findNodeByTitle } from './node.sql.ts'
import { findNodeByAeTitle, lockTitles } from './own-node.sql.ts'
import type { NodeSettings } from './node-settings.sql.ts'
import {
  aeTitleSetting,
  allowedPeersSetting,
  type PeerRule,
  peerRules,
  queryPeersSetting,
  worklistPeersSetting,
} from './peer-rules.ts'

interface NodeChange {
  /** Empty to let nobody call the place any more. */
  title?: string
  /** Empty to let only programs of this machine send. */
  allowedPeers?: readonly PeerRule[]
  /** Empty to let nobody query and retrieve. */
  queryPeers?: readonly PeerRule[]
  /** Empty to let nobody ask for the worklist. */
  worklistPeers?: readonly PeerRule[]
}

/** Says by which AE title a place is called, who may send to it and who may query it. Holds at once: open associations of a peer that may less than before are ended. @throws Error in words */
export async function setNode(
  db: Database,
  node: NodeSettings,
  { title, allowedPeers, queryPeers, worklistPeers }: NodeChange,
): Promise<void> {
  if (title && !isAeTitle(title))
    throw new Error(
      `${title} cannot be an AE title: it takes 1 to 16 letters, digits and signs of ASCII, no backslash.`,
    )
  const textOf = (rules: readonly PeerRule[]) => (rules.length > 0 ? JSON.stringify(peerRules.parse(rules)) : '')
  await db.transaction().execute(async (tx) => {
    if (title) await lockTitles(tx)
    const other = title ? await findNodeByTitle(tx, title) : undefined
    if (other && other.namespaceUuid !== node.namespaceUuid) throw new Error(`Another group has the AE title ${title}.`)
    if (title && (await findNodeByAeTitle(tx, title)))
      throw new Error(`A node that retrieves studies has the AE title ${title}.`)
    const detail: Record<string, [string, string]> = {}
    const store = async (key: string, old: string | null, value: string) => {
      if ((old ?? '') === value) return
      await storeSetting(tx, node.namespaceUuid, key, value)
      detail[key] = [old ?? '', value]
    }
    if (title !== undefined) await store(aeTitleSetting, node.title, title)
    if (allowedPeers) await store(allowedPeersSetting, node.allowedPeers, textOf(allowedPeers))
    if (queryPeers) await store(queryPeersSetting, node.queryPeers, textOf(queryPeers))
    if (worklistPeers) await store(worklistPeersSetting, node.worklistPeers, textOf(worklistPeers))
    if (Object.keys(detail).length === 0) return
    await writeAudit(tx, {
      accountUuid: node.accountUuid,
      caller: undefined,
      action: 'EDIT',
      type: 'Namespace',
      objectUuid: node.namespaceUuid,
      detail,
    })
  })
}

function storeSetting(tx: Tx, namespaceUuid: string, key: string, value: string): Promise<void> {
  return value === ''
    ? deleteSetting(tx, 'namespace', namespaceUuid, key)
    : putSetting(tx, 'namespace', namespaceUuid, key, value)
}
