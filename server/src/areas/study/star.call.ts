import type { studyStar } from '@hilum/contract/calls/study-acts'
import type { Handler } from '../handler.ts'
import { setStar } from './study-acts.sql.ts'

export const star: Handler<typeof studyStar> = async ({ services, input, caller, on }) => {
  await setStar(services.db, caller.userUuid, on.record, input.star === 1)
  return {}
}
