import type { userEventSet } from '@hilum/contract/calls/user-event'
import type { Handler } from '../handler.ts'
import { type ChosenEvent, putChoice } from './event-choice.sql.ts'

const events = ['event_share', 'event_harvest', 'event_approve'] as const satisfies readonly ChosenEvent[]

export const eventSet: Handler<typeof userEventSet> = async ({ services, input, caller, on }) => {
  await services.db.transaction().execute(async (tx) => {
    for (const event of events) {
      const flag = input[event]
      if (flag === undefined) continue
      const choice = { event, isOn: flag === 1 }
      await putChoice(tx, { userUuid: caller.userUuid, namespaceUuid: on.namespaceUuid, ...choice })
    }
  })
  return {}
}
