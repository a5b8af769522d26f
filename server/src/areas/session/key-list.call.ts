import type { sessionKeyList } from '@hilum/contract/calls/session'
import type { Handler } from '../handler.ts'
import { listKeys } from './key.sql.ts'

export const keyList: Handler<typeof sessionKeyList> = async ({ services, caller }) => ({
  keys: await listKeys(services.db, caller.userUuid),
})
