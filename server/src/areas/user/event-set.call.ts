import type { userEventSet } from '@hilum/contract/calls/user-event'
import type { Handler } from '../handler.ts'
import { putChoice } from './event-choice.sql.ts'

export const eventSet: Handler<typeof userEventSet> = async ({ services, input, caller, on }) => {
  if (input.event_share === undefined) return {}
  const choice = { event: 'event_share', isOn: input.event_share === 1 } as const
  await putChoice(services.db, { userUuid: caller.userUuid, namespaceUuid: on.namespaceUuid, ...choice })
  return {}
}
