import type { studyTimingEvent } from '@hilum/contract/calls/study-acts'
import type { Handler } from '../handler.ts'
import { insertTiming } from './study-acts.sql.ts'

export const timingEvent: Handler<typeof studyTimingEvent> = async ({ services, input, caller, on }) => {
  await insertTiming(services.db, {
    storageNamespace: on.namespaceUuid,
    studyUid: input.study_uid,
    event: input.event,
    size: input.size ?? null,
    userUuid: caller.userUuid,
  })
  return {}
}
