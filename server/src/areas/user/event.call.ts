import type { userEvent } from '@hilum/contract/calls/user-event'
import type { Handler } from '../handler.ts'
import { findChoice, findHarvestChoice } from './event-choice.sql.ts'
import { isMailedAtFirst } from './event.policy.ts'

export const event: Handler<typeof userEvent> = async ({ services, caller, on }) => {
  const chosen = await findChoice(services.db, caller.userUuid, on.namespaceUuid, 'event_share')
  const isHarvestMailed = await findHarvestChoice(services.db, caller.userUuid, on.namespaceUuid)
  const isApprovalMailed = await findChoice(services.db, caller.userUuid, on.namespaceUuid, 'event_approve')
  return {
    event_share: (chosen ?? isMailedAtFirst(on)) ? 1 : 0,
    event_harvest: isHarvestMailed ? 1 : 0,
    event_approve: isApprovalMailed ? 1 : 0,
  }
}
