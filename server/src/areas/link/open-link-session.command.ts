import { createHash, randomUUID } from 'node:crypto'
import type { LinkAction } from '@hilum/contract/calls/link'
import { derivedSessionMinutes, uploadSessionMinutes } from '@hilum/contract/limits'
import { digestOf, newSid } from '../../access/sid.ts'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { longestUserAgent } from '../session/sign-in.sql.ts'
import { addLinkSession } from './link-session.sql.ts'

/**
 * Opens a session for somebody who may open a link, which was proven before. The sid of such a session is as weak as a
 * derived one: it reads the studies of the link, as far as the link's rights go, opens no call, and may stand in an
 * address. The session of a request sees no study at all; `findUploader` says what it may do. Each request asks for the
 * link anew, so that its end ends what was open.
 * @param from with the date of birth that opened it, YYYYMMDD, of which the session shows nothing once its studies say another,
 * and the digest of the sid of the session that it goes on from, with whose end it ends
 * @returns undefined when the link has ended
 */
export async function openLinkSession(
  tx: Tx,
  linkUuid: string,
  from: { clientAddress: string; userAgent: string; birthDate?: string | undefined; goesOnFrom?: Buffer | null },
  action: LinkAction = 'STUDY_VIEW',
): Promise<{ sid: string; expires: string } | undefined> {
  const sid = newSid()
  const uuid = randomUUID()
  const { clientAddress, birthDate } = from
  const added = await addLinkSession(tx, {
    uuid,
    sidDigest: digestOf(sid),
    linkUuid,
    minutes: action === 'STUDY_UPLOAD' ? uploadSessionMinutes : derivedSessionMinutes,
    clientAddress,
    userAgent: from.userAgent.slice(0, longestUserAgent),
    birthDateDigest: birthDate === undefined ? null : createHash('sha256').update(`${uuid}${birthDate}`).digest(),
    goesOnFrom: from.goesOnFrom ?? null,
  })
  if (!added) return undefined
  await writeAudit(tx, {
    accountUuid: added.account_uuid,
    caller: { kind: 'link', linkUuid, name: 'Link', clientAddress },
    action: 'LINK_OPEN',
    type: 'Link',
    objectUuid: linkUuid,
  })
  return { sid, expires: added.expires }
}
