import type { groupSet } from '@hilum/contract/calls/group'
import { changePeople } from '../account/change-people.command.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { demandUnchanged } from '../demand-unchanged.ts'
import type { Handler } from '../handler.ts'
import { changePlace } from '../location/change-place.command.ts'
import { findGroup } from './group.sql.ts'
import { auditType } from './place.policy.ts'
import { readPlace } from '../location/read-place.ts'

/** Of groups and of locations. */
export const set: Handler<typeof groupSet> = async ({ services, input, caller, on, fail }) => {
  const { accountUuid, groupUuid, kind } = on
  await changePeople(services.db, [accountUuid], async (tx) => {
    const row = await findGroup(tx, groupUuid)
    if (!row) throw fail('NOT_FOUND')
    demandUnchanged(input.seen, await readPlace(tx, row, on))
    const { uuid: _uuid, seen: _seen, ...change } = input
    const { detail } = await changePlace(tx, { row, kind, own: on.account, byUser: caller.userUuid }, change)
    if (Object.keys(detail).length === 0) return
    await writeAudit(tx, { accountUuid, caller, action: 'EDIT', type: auditType(kind), objectUuid: groupUuid, detail })
  })
  return {}
}
