import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import type { Sealer } from '../../sealer.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { mailLink } from './mail-link.command.ts'
import { type LinkOptions, type MadeLink, makeLink } from './make-link.command.ts'
import { endLink } from './link.sql.ts'
import { findSentLink, lockUnmailed, markLinkSent } from './sent-link.sql.ts'

/**
 * Sends a record to an e-mail address: makes a link for this address alone, and mails the address of the link, now or
 * later.
 * @param address of the web app
 */
export async function sendLink(
  tx: Tx,
  sealer: Sealer,
  by: { caller: Caller; record: StudyRecord; address: string },
  options: LinkOptions & { delaySeconds: number },
): Promise<MadeLink> {
  const { caller, record } = by
  const { delaySeconds, ...values } = options
  const made = await makeLink(tx, sealer, by, values)
  if (made.kind !== 'made') return made
  await markLinkSent(tx, made.uuid, delaySeconds)
  if (delaySeconds === 0) {
    await mailLink(tx, sealer, {
      uuid: made.uuid,
      url: made.url,
      accountUuid: record.account_uuid,
      email: options.email,
      minutes: options.minutes,
      asksBirthDate: options.passwordIsDob,
      asksPassword: options.passwordHash !== null,
    })
    return made
  }
  await enqueue(
    tx,
    declaredJobs.mailLink,
    { linkUuid: made.uuid, address: by.address },
    {
      key: made.uuid,
      runAt: new Date(Date.now() + delaySeconds * 1000),
      about: { userUuid: caller.userUuid, accountUuid: record.account_uuid, studyUuid: record.uuid },
    },
  )
  return made
}

/**
 * Revokes a link that was sent by e-mail; one that was not mailed yet never is.
 * @param isScheduledOnly leaves a link as it is that was mailed already
 * @returns gone when the record has no such link, or no more
 */
export async function stopSentLink(
  tx: Tx,
  caller: Caller,
  record: StudyRecord,
  linkUuid: string,
  isScheduledOnly: boolean,
): Promise<'stopped' | 'gone' | 'mailed'> {
  const link = await findSentLink(tx, linkUuid)
  if (link?.study_uuid !== record.uuid) return 'gone'
  if (isScheduledOnly && !link.is_ended && !(await lockUnmailed(tx, linkUuid))) return 'mailed'
  if (!(await endLink(tx, linkUuid))) return 'gone'
  await writeAudit(tx, {
    accountUuid: record.account_uuid,
    caller,
    action: 'DELETE',
    type: 'Link',
    objectUuid: record.uuid,
    phiNamespace: record.phi_namespace,
    detail: { link: linkUuid },
  })
  return 'stopped'
}
