import type { sessionLogout } from '@hilum/contract/calls/session'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { endSession } from './end-sessions.sql.ts'

export const logout: Handler<typeof sessionLogout> = async ({ services, caller, origin }) => {
  const account = (await caller.memberships()).find((one) => one.kind === 'account')
  await services.db.transaction().execute(async (tx) => {
    await endSession(tx, caller.sessionUuid)
    await writeAudit(tx, {
      accountUuid: account?.accountUuid ?? null,
      caller,
      action: 'LOGOUT',
      type: 'User',
      objectUuid: caller.userUuid,
    })
  })
  origin.setCookie?.(undefined)
  return {}
}
