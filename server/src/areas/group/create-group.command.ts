import { randomUUID } from 'node:crypto'
import { type InboxConfig, inboxConfig } from '@hilum/contract/inbox-config'
import type { Tx } from '../../db/database.ts'
import { addNamespace } from '../account/account-write.sql.ts'
import { putSetting } from '../setting/setting.sql.ts'
import { addGroup } from './group-write.sql.ts'

export interface NewGroup {
  accountUuid: string
  name: string
  /** How its inbox works; what is left out has the default. */
  config: Partial<InboxConfig> & Pick<InboxConfig, 'group_designation'>
}

/** Makes a group with its namespace and inbox. What comes into a gatekeeper group always waits for approval. */
export async function createGroup(
  tx: Tx,
  { accountUuid, name, config }: NewGroup,
): Promise<{ groupUuid: string; namespaceUuid: string }> {
  const groupUuid = randomUUID()
  const namespaceUuid = randomUUID()
  const designation = config.group_designation
  await addGroup(tx, {
    uuid: groupUuid,
    accountUuid,
    name,
    namespaceUuid,
    designation,
    mustApprove: designation === 'GATEKEEPER',
  })
  await addNamespace(tx, { uuid: namespaceUuid, kind: 'group', ownerUuid: groupUuid, accountUuid, name })
  await putSetting(tx, 'namespace', namespaceUuid, 'inbox_config', JSON.stringify(inboxConfig.parse(config)))
  return { groupUuid, namespaceUuid }
}
