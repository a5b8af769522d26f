import { ApiError } from '@hilum/contract/errors'
import { isAeTitle } from '@hilum/dicom/dimse/ae-title'
import type { Tx } from '../../db/database.ts'
import { deleteSetting, putSetting } from '../setting/setting.sql.ts'
import { findNodeByTitle, lockTitle } from './node.sql.ts'
import {
  aeTitleSetting,
  allowedPeersSetting,
  isClosedToSenders,
  peerRules,
  queryPeersSetting,
  readPeerRule,
  worklistPeersSetting,
  orderSendersSetting,
} from './peer-rules.ts'

interface PeersChange {
  /** Empty to let no DICOM program call the place. */
  title?: string
  /** In words, as `readPeerRule` takes them; empty for programs of this machine alone. */
  allowedPeers?: readonly string[]
  /** In the same words; empty for nobody. */
  queryPeers?: readonly string[]
  /** In the same words; empty for nobody. */
  worklistPeers?: readonly string[]
  /** In the same words, of applications; empty for programs of this machine alone. */
  orderSenders?: readonly string[]
}

/**
 * Says by which AE title a place is called, who may send to it and who may query it, at once: open associations of a peer that may less than before are ended.
 * @param kept the settings of the namespace
 * @returns old and new value by setting, empty when nothing changed
 * @throws ApiError INVALID_FIELD, ALREADY_EXISTS for the AE title of another place
 */
export async function changePeers(
  tx: Tx,
  namespaceUuid: string,
  stored: Readonly<Record<string, string>>,
  { title, allowedPeers, queryPeers, worklistPeers, orderSenders }: PeersChange,
): Promise<Record<string, [string, string]>> {
  const wanted: [key: string, value: string][] = []
  if (title !== undefined) {
    await demandTitle(tx, namespaceUuid, title)
    wanted.push([aeTitleSetting, title])
  }
  if (allowedPeers) wanted.push([allowedPeersSetting, readPeers(allowedPeersSetting, allowedPeers)])
  if (queryPeers) wanted.push([queryPeersSetting, readPeers(queryPeersSetting, queryPeers)])
  if (worklistPeers) wanted.push([worklistPeersSetting, readPeers(worklistPeersSetting, worklistPeers)])
  if (orderSenders) wanted.push([orderSendersSetting, readPeers(orderSendersSetting, orderSenders)])
  const detail: Record<string, [string, string]> = {}
  for (const [key, value] of wanted) {
    const old = stored[key] ?? ''
    // an empty form of a place that nobody may send to lets nobody in
    const staysClosed = value === '' && closedByEmpty.has(key) && isClosedToSenders(stored[key] ?? null)
    if (old === value || staysClosed) continue
    if (value === '') await deleteSetting(tx, 'namespace', namespaceUuid, key)
    else await putSetting(tx, 'namespace', namespaceUuid, key, value)
    detail[key] = [old, value]
  }
  return detail
}

/** Settings without which programs of this machine may send. */
const closedByEmpty: ReadonlySet<string> = new Set([allowedPeersSetting, orderSendersSetting])

async function demandTitle(tx: Tx, namespaceUuid: string, title: string): Promise<void> {
  if (title === '') return
  if (!isAeTitle(title)) throw new ApiError('INVALID_FIELD', { subtype: aeTitleSetting })
  await lockTitle(tx, title)
  const other = await findNodeByTitle(tx, title)
  if (other && other.namespaceUuid !== namespaceUuid) throw new ApiError('ALREADY_EXISTS', { subtype: aeTitleSetting })
}

function readPeers(setting: string, words: readonly string[]): string {
  try {
    const rules = peerRules.parse(words.map((one) => readPeerRule(one.trim())))
    return rules.length > 0 ? JSON.stringify(rules) : ''
  } catch (cause) {
    throw new ApiError('INVALID_FIELD', { subtype: setting }, { cause })
  }
}
