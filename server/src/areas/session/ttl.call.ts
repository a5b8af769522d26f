import type { sessionTtl } from '@hilum/contract/calls/session'
import { findMinutesLeft } from '../../access/session.sql.ts'
import { digestOf } from '../../access/sid.ts'
import type { Handler } from '../handler.ts'

export const ttl: Handler<typeof sessionTtl> = async ({ services, origin, fail }) => {
  if (!origin.sid) throw fail('MISSING_FIELDS', { subtype: ['sid'] })
  const minutes = await findMinutesLeft(services.db, digestOf(origin.sid))
  if (minutes === undefined) throw fail('EXPIRED')
  return { ttl: minutes }
}
