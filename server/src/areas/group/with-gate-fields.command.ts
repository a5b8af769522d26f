import type { InboxConfig } from '@hilum/contract/inbox-config'
import type { Tx } from '../../db/database.ts'
import { ensureGateFields, offerPriorities } from '../nomination/gate-fields.sql.ts'

/** The configuration of a group that nominates or decides, with the uuids of the custom fields that tell of it. */
export async function withGateFields(tx: Tx, accountUuid: string, config: InboxConfig): Promise<InboxConfig> {
  const isGate = config.group_designation === 'GATEKEEPER'
  if (!isGate && config.pacs_promote_groups.length === 0) return config
  const fields = await ensureGateFields(tx, accountUuid)
  if (isGate && config.priority_values) await offerPriorities(tx, accountUuid, config.priority_values)
  return { ...config, meta_info_customfields: { ...config.meta_info_customfields, ...fields } }
}
