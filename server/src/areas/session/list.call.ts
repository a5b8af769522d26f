import type { sessionList } from '@hilum/contract/calls/session'
import type { Handler } from '../handler.ts'
import { listOpenSessions } from './open-sessions.sql.ts'

export const list: Handler<typeof sessionList> = async ({ services, caller }) => ({
  sessions: await listOpenSessions(services.db, caller.userUuid, caller.sessionUuid),
})
