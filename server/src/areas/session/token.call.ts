import type { sessionToken } from '@hilum/contract/calls/session'
import { digestOf } from '../../access/sid.ts'
import type { Handler } from '../handler.ts'
import { makeToken } from './make-token.command.ts'
import { findOwnSession } from './session-token.sql.ts'

/** Answers a page of another host, and one without a live session, alike. */
export const token: Handler<typeof sessionToken> = async ({ services, origin, fail }) => {
  const session = origin.cookieSid ? await findOwnSession(services.db, digestOf(origin.cookieSid)) : undefined
  if (!session) throw fail('EXPIRED')
  return {
    ...(await makeToken(services.db, session.uuid)),
    session_id: session.uuid,
    uuid: session.user_uuid,
  }
}
