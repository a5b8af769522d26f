import { mayDo } from '@hilum/contract/acts'
import type { PlaceDetail } from '@hilum/contract/entities/place'
import type { Db } from '../../db/database.ts'
import type { Own } from '../account/promotion.policy.ts'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { presentNamespaceSettings } from '../namespace/namespace-settings.ts'
import {
  aeTitleSetting,
  allowedPeersSetting,
  isClosedToSenders,
  listPeerWords,
  orderSendersSetting,
  queryPeersSetting,
  worklistPeersSetting,
} from '../node/peer-rules.ts'
import { listSettings } from '../setting/setting.sql.ts'
import { presentGroup } from '../group/group.presenter.ts'
import type { GroupRow, PlaceKind } from '../group/group.sql.ts'
import { auditType } from '../group/place.policy.ts'

/** A group or location with how its inbox works, and to those who run it who may send to it. */
export async function readPlace(db: Db, row: GroupRow, { kind, account }: Reader): Promise<PlaceDetail> {
  const stored = await listSettings(db, 'namespace', row.namespace_uuid)
  const { inbox_config } = presentNamespaceSettings(stored, false)
  return {
    ...presentGroup(row, await listDefinitions(db, [row.account_uuid], auditType(kind))),
    ...(inbox_config ? { inbox_config } : {}),
    ...(mayDo(kind === 'group' ? 'administerGroups' : 'administerLocations', account)
      ? {
          dicom_ae_title: stored[aeTitleSetting] ?? '',
          dicom_allowed_peers: listPeerWords(stored[allowedPeersSetting] ?? null),
          is_closed_to_senders: isClosedToSenders(stored[allowedPeersSetting] ?? null) ? 1 : 0,
          dicom_query_peers: listPeerWords(stored[queryPeersSetting] ?? null),
          dicom_worklist_peers: listPeerWords(stored[worklistPeersSetting] ?? null),
          hl7_senders: listPeerWords(stored[orderSendersSetting] ?? null),
        }
      : {}),
  }
}

interface Reader {
  kind: PlaceKind
  /** The reader's permissions in the account. */
  account: Own
}
