import type { groupSet } from '@hilum/contract/calls/group'
import { changePeople } from '../account/change-people.command.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { changeFieldValues, valuesAsRead } from '../customfield/change-field-values.command.ts'
import { demandUnchanged } from '../demand-unchanged.ts'
import type { Handler } from '../handler.ts'
import { changePlace } from '../location/change-place.command.ts'
import { findGroup } from './group.sql.ts'
import { auditType } from './place.policy.ts'
import { readPlace } from '../location/read-place.ts'

/** Of groups and of locations. */
export const set: Handler<typeof groupSet> = async ({ services, input, raw, caller, on, fail }) => {
  const { accountUuid, groupUuid, kind } = on
  await changePeople(services.db, [accountUuid], async (tx) => {
    const row = await findGroup(tx, groupUuid)
    if (!row) throw fail('NOT_FOUND')
    const now = await readPlace(tx, row, on)
    demandUnchanged(input.seen, { ...now, ...valuesAsRead(now.customfields) })
    const { uuid: _uuid, seen: _seen, ...change } = input
    const { detail: changed } = await changePlace(tx, { row, kind, own: on.account, byUser: caller.userUuid }, change)
    const detail = {
      ...changed,
      ...(await changeFieldValues(tx, { object: auditType(kind), accountUuid, groupUuid }, raw)),
    }
    if (Object.keys(detail).length === 0) return
    await writeAudit(tx, { accountUuid, caller, action: 'EDIT', type: auditType(kind), objectUuid: groupUuid, detail })
  })
  return {}
}
