import { mayDo } from '@hilum/contract/acts'
import { randomUUID } from 'node:crypto'
import { sessionDerive } from '@hilum/contract/calls/session'
import { derivedSessionMinutes } from '@hilum/contract/limits'
import { digestOf, newSid } from '../../access/sid.ts'
import { seeRecord } from '../../access/study-access.ts'
import { listRecordsByUuid } from '../../access/study-record.sql.ts'
import type { Handler } from '../handler.ts'
import { addSession } from './sign-in.sql.ts'

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const derive: Handler<typeof sessionDerive> = async ({ services, input, caller, fail }) => {
  const asked = [...new Set(input.studies.map((uuid) => uuid.toLowerCase()))]
  if (!asked.every((uuid) => uuidForm.test(uuid))) throw fail('NOT_FOUND')
  const records = await listRecordsByUuid(services.db, asked)
  if (records.length < asked.length) throw fail('NOT_FOUND')
  for (const record of records) {
    const access = await seeRecord(caller, record)
    if (!access) throw fail('NOT_FOUND')
    if (!mayDo(sessionDerive.asks['each study'], access)) throw fail('NOT_PERMITTED')
  }
  const sid = newSid()
  const expires = await addSession(services.db, {
    uuid: randomUUID(),
    sidDigest: digestOf(sid),
    userUuid: caller.userUuid,
    parentUuid: caller.sessionUuid,
    studies: asked,
    idleMinutes: derivedSessionMinutes,
    lifeMinutes: derivedSessionMinutes,
  })
  return { sid, expires }
}
