import type { InboxConfig } from '@hilum/contract/inbox-config'
import { readStoredFieldFlags } from '../../access/stored-field-flags.ts'
import {
  aeTitleSetting,
  allowedPeersSetting,
  orderSendersSetting,
  queryPeersSetting,
  worklistPeersSetting,
} from '../node/peer-rules.ts'
import { inboxConfigOf } from '../setting/inbox-config.sql.ts'

/** Keys of a namespace's settings that the calls give as fields of their own. */
const ownFields = new Set(['no_dup_share', 'study_field_flags'])

/** Settings for those who run the place alone: its AE title, and the peers that may send to it or query it. */
const operatorsFields = new Set([
  aeTitleSetting,
  allowedPeersSetting,
  queryPeersSetting,
  worklistPeersSetting,
  orderSendersSetting,
])

/**
 * A namespace's settings as the wire gives them: texts, and `inbox_config` read. A kept configuration that is not
 * readable is left out, so that one broken group does not hide the others.
 */
export function presentNamespaceSettings(
  stored: Record<string, string>,
  isOperator: boolean,
): Record<string, unknown> & { inbox_config?: InboxConfig } {
  const { inbox_config: sent, ...others } = stored
  const config = inboxConfigOf(sent)
  const texts = Object.fromEntries(
    Object.entries(others).filter(([key]) => !ownFields.has(key) && (isOperator || !operatorsFields.has(key))),
  )
  return { ...texts, ...(config ? { inbox_config: config } : {}) }
}

/** As they hold: what cannot be read shows as hidden. */
export function presentFieldFlags(stored: Record<string, string>): Record<string, string> {
  return { ...readStoredFieldFlags(stored.study_field_flags).flags }
}
