import type { sessionEnd } from '@hilum/contract/calls/session'
import { writeOwnAudit } from '../audit/write-own-audit.command.ts'
import type { Handler } from '../handler.ts'
import { endOwnSessions } from './open-sessions.sql.ts'

export const end: Handler<typeof sessionEnd> = async ({ services, input, caller, origin, fail }) => {
  const { session_id: wanted, others } = input
  if ((wanted === undefined) === (others !== 1)) throw fail('MISSING_FIELDS', { subtype: ['session_id'] })
  const ended = await services.db.transaction().execute(async (tx) => {
    const count = await endOwnSessions(tx, caller.userUuid, wanted ? { only: wanted } : { but: caller.sessionUuid })
    // another person's session reads like one that is over
    if (wanted && count === 0) throw fail('NOT_FOUND', { subtype: 'session_id' })
    await writeOwnAudit(tx, caller, 'SESSIONS_ENDED', { sessions: count })
    return count
  })
  if (wanted === caller.sessionUuid) origin.setCookie?.(undefined)
  return { ended }
}
