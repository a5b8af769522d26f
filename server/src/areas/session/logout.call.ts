import type { sessionLogout } from '@hilum/contract/calls/session'
import { writeOwnAudit } from '../audit/write-own-audit.command.ts'
import type { Handler } from '../handler.ts'
import { endSession } from './end-sessions.sql.ts'

export const logout: Handler<typeof sessionLogout> = async ({ services, caller, origin }) => {
  await services.db.transaction().execute(async (tx) => {
    await endSession(tx, caller.sessionUuid)
    await writeOwnAudit(tx, caller, 'LOGOUT')
  })
  origin.setCookie?.(undefined)
  return {}
}
