import { sessionTokenMinutes } from '@hilum/contract/limits'
import { digestOf, newSid } from '../../access/sid.ts'
import type { Db } from '../../db/database.ts'
import { addSessionToken } from './session-token.sql.ts'

/** Makes a token that stands for a session for a short time and ends with it. `expires_in` counts seconds. */
export async function makeToken(db: Db, sessionUuid: string): Promise<{ sid: string; expires_in: number }> {
  const sid = newSid()
  await addSessionToken(db, sessionUuid, digestOf(sid), sessionTokenMinutes)
  return { sid, expires_in: sessionTokenMinutes * 60 }
}
