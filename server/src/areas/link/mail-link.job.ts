import { findMembershipOf } from '../../access/find-caller.ts'
import { findRecordByUuid } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import type { JobActs } from '../job.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { linkAddress } from './link.presenter.ts'
import { endLinkForGood } from './link.sql.ts'
import { mailLink } from './mail-link.command.ts'
import { findSentLink, lockUnmailed, type SentLinkRow } from './sent-link.sql.ts'
import { mayShareWith } from '../study/share-recipient.policy.ts'

/** Mails the address of a link whose time has come, if the person who sent it may still do so; else the link ends. */
export const mailLinkActs: JobActs<PayloadOf<'mailLink'>> = {
  run: async (services, { linkUuid, address }) => {
    const link = await findSentLink(services.db, linkUuid)
    if (!link || link.is_ended || link.mail_uuid || !link.sealed_secret) return
    const secret = services.sealer.open(link.sealed_secret, link.uuid)
    if (secret === undefined || !(await mayStillSend(services, link))) {
      await endLinkForGood(services.db, linkUuid)
      return
    }
    await services.db.transaction().execute(async (tx) => {
      if (!(await lockUnmailed(tx, linkUuid))) throw new Error('The link was mailed or revoked meanwhile')
      await mailLink(tx, services.sealer, {
        uuid: linkUuid,
        url: linkAddress(address, secret),
        accountUuid: link.account_uuid,
        email: link.email,
        minutes: link.minutes_left,
        asksBirthDate: link.asks_birth_date,
        asksPassword: link.asks_password,
      })
    })
  },
  giveUp: async (tx, { linkUuid }) => {
    await endLinkForGood(tx, linkUuid)
    return undefined
  },
}

async function mayStillSend({ db, log }: Services, link: SentLinkRow): Promise<boolean> {
  const membership = await findMembershipOf(db, link.created_by, link.phi_namespace, log)
  if (!membership || !mayShareWith('email', membership)) return false
  const record = await findRecordByUuid(db, link.study_uuid)
  return record !== undefined && !record.deleted && !(record.is_shared && record.sources.length === 0)
}
