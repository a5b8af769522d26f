import { mayDo } from '@hilum/contract/acts'
import { userEventSet } from '@hilum/contract/calls/user-event'
import { findMembershipOf } from '../../access/find-caller.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { putSentChoices } from './sent-choices.command.ts'

/** One's own choices are no matter of record; those that somebody makes for another person are. */
export const eventSet: Handler<typeof userEventSet> = async ({ services, input, caller, on, fail }) => {
  const { db, log } = services
  const userUuid = input.uuid ?? caller.userUuid
  const isOther = userUuid !== caller.userUuid
  if (isOther && !mayDo(userEventSet.asks['another person'], { permissions: on.inAccount }))
    throw fail('NOT_PERMITTED', { subtype: 'uuid' })
  if (isOther && !(await findMembershipOf(db, userUuid, on.namespaceUuid, log))) throw fail('NOT_MEMBER')
  await db.transaction().execute(async (tx) => {
    const changed = await putSentChoices(tx, { userUuid, namespaceUuid: on.namespaceUuid }, input)
    if (!isOther || Object.keys(changed).length === 0) return
    const detail = { namespace_id: on.namespaceUuid, ...changed }
    await writeAudit(tx, {
      accountUuid: on.accountUuid,
      caller,
      action: 'EDIT',
      type: 'User',
      objectUuid: userUuid,
      detail,
    })
  })
  return {}
}
