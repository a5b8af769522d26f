import type { sessionLogout } from '@hilum/contract/calls/session'
import { writeOwnAudit } from '../audit/write-own-audit.command.ts'
import type { Handler } from '../handler.ts'
import { findProviderOfSession } from '../identity/identity.sql.ts'
import { findLogoutAddress } from '../identity/logout-address.ts'
import { endSession } from './end-sessions.sql.ts'

export const logout: Handler<typeof sessionLogout> = async ({ services, caller, origin }) => {
  const provider = await findProviderOfSession(services.db, caller.sessionUuid)
  await services.db.transaction().execute(async (tx) => {
    await endSession(tx, caller.sessionUuid)
    await writeOwnAudit(tx, caller, 'LOGOUT')
  })
  origin.setCookie?.(undefined)
  // the session is over by now, however long the provider takes
  const address = await findLogoutAddress(services, origin, provider)
  return address ? { logout_url: address } : {}
}
