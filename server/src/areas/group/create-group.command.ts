import { randomUUID } from 'node:crypto'
import { type InboxConfig, inboxConfig } from '@hilum/contract/inbox-config'
import type { Tx } from '../../db/database.ts'
import { addNamespace } from '../add-namespace.sql.ts'
import { withGateFields } from './with-gate-fields.command.ts'
import { putSetting } from '../setting/setting.sql.ts'
import type { PlaceKind } from './group.sql.ts'
import { addGroup } from './group-write.sql.ts'

interface NewGroup {
  accountUuid: string
  /** A group unless said otherwise. */
  kind?: PlaceKind
  name: string
  /** How its inbox works; what is left out has the default. */
  config: Partial<InboxConfig> & Pick<InboxConfig, 'group_designation'>
}

/**
 * Makes a group or location with its namespace and inbox. A study that comes into a gatekeeper group always waits for
 * approval.
 */
export async function createGroup(
  tx: Tx,
  { accountUuid, kind = 'group', name, config }: NewGroup,
): Promise<{ groupUuid: string; namespaceUuid: string }> {
  const groupUuid = randomUUID()
  const namespaceUuid = randomUUID()
  const designation = config.group_designation
  await addGroup(tx, {
    uuid: groupUuid,
    kind,
    accountUuid,
    name,
    namespaceUuid,
    designation,
    mustApprove: designation === 'GATEKEEPER',
  })
  await addNamespace(tx, { uuid: namespaceUuid, kind, ownerUuid: groupUuid, accountUuid, name })
  const completed = await withGateFields(tx, accountUuid, inboxConfig.parse(config))
  await putSetting(tx, 'namespace', namespaceUuid, 'inbox_config', JSON.stringify(completed))
  return { groupUuid, namespaceUuid }
}
