import { mayDo } from '@hilum/contract/acts'
import type { groupGet } from '@hilum/contract/calls/group'
import type { Handler } from '../handler.ts'
import {
  aeTitleSetting,
  allowedPeersSetting,
  listPeerWords,
  orderSendersSetting,
  queryPeersSetting,
  worklistPeersSetting,
} from '../node/peer-rules.ts'
import { presentNamespaceSettings } from '../namespace/namespace-settings.ts'
import { listSettings } from '../setting/setting.sql.ts'
import { presentGroup } from './group.presenter.ts'
import { findGroup } from './group.sql.ts'

/** How the inbox works is told to members and to those who run the place, who may send to it to the latter alone. */
export const get: Handler<typeof groupGet> = async ({ services, on, fail }) => {
  const row = await findGroup(services.db, on.groupUuid)
  if (!row) throw fail('NOT_FOUND')
  const kept = await listSettings(services.db, 'namespace', row.namespace_uuid)
  const { inbox_config } = presentNamespaceSettings(kept, false)
  const administer = on.kind === 'group' ? 'administerGroups' : 'administerLocations'
  return {
    ...presentGroup(row),
    ...(inbox_config ? { inbox_config } : {}),
    ...(mayDo(administer, on.account)
      ? {
          dicom_ae_title: kept[aeTitleSetting] ?? '',
          dicom_allowed_peers: listPeerWords(kept[allowedPeersSetting] ?? null),
          dicom_query_peers: listPeerWords(kept[queryPeersSetting] ?? null),
          dicom_worklist_peers: listPeerWords(kept[worklistPeersSetting] ?? null),
          hl7_senders: listPeerWords(kept[orderSendersSetting] ?? null),
        }
      : {}),
  }
}
