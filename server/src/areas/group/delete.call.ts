import type { groupDelete } from '@hilum/contract/calls/group'
import { changePeople } from '../account/change-people.command.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { isUsed, listUsesOfPlace } from '../routing/uses.sql.ts'
import { findGroup, hasStudies } from './group.sql.ts'
import { deleteGroup, lockNamespace } from './group-write.sql.ts'
import { auditType } from './place.policy.ts'

/** Of groups and of locations. */
export const remove: Handler<typeof groupDelete> = async ({ services, caller, on, fail }) => {
  const { accountUuid, groupUuid, kind } = on
  await changePeople(services.db, [accountUuid], async (tx) => {
    const row = await findGroup(tx, groupUuid)
    if (!row) throw fail('NOT_FOUND')
    await lockNamespace(tx, row.namespace_uuid)
    if (await hasStudies(tx, row.namespace_uuid)) throw fail('NOT_EMPTY')
    const uses = await listUsesOfPlace(tx, accountUuid, { uuid: groupUuid, namespaceUuid: row.namespace_uuid })
    if (isUsed(uses)) throw fail('IN_USE', { data: uses })
    await deleteGroup(tx, { uuid: groupUuid, namespaceUuid: row.namespace_uuid })
    const detail = { name: row.name, namespace_id: row.namespace_uuid }
    const type = auditType(kind)
    await writeAudit(tx, { accountUuid, caller, action: 'DELETE', type, objectUuid: groupUuid, detail })
  })
  return {}
}
