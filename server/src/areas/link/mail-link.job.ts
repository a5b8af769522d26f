import { findMembershipOf } from '../../access/find-caller.ts'
import { findRecordByUuid } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { writeEvent } from '../event/event.sql.ts'
import type { JobActs } from '../job.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { holdOfOtherPatient } from '../mail/hold-mail.command.ts'
import { tellNotSent } from '../mail/tell-not-sent.command.ts'
import { linkAddress } from './link.presenter.ts'
import { endLinkForGood, failSending, showsUnseenMixed } from './link.sql.ts'
import { mailLink } from './mail-link.command.ts'
import { findSentLink, lockUnmailed, type SentLinkRow } from './sent-link.sql.ts'
import { mayGive, whatLinkGives } from './link-values.policy.ts'
import { mayShareWith } from '../study/share-recipient.policy.ts'

/**
 * Mails the address of a link whose time has come, if the person who sent it may still do so; else the link ends, and the
 * person is told. Where the exam was corrected to another patient meanwhile, the mail is held for a person to decide.
 */
export const mailLinkActs: JobActs<PayloadOf<'mailLink'>> = {
  run: async (services, { linkUuid, address }) => {
    const link = await findSentLink(services.db, linkUuid)
    if (!link || link.is_ended || link.mail_uuid || !link.sealed_secret) return
    const secret = services.sealer.open(link.sealed_secret, link.uuid)
    const failure = secret === undefined ? 'NOT_FOUND' : await whyNotSent(services, link)
    if (secret === undefined || failure) {
      await services.db.transaction().execute((tx) => giveUp(tx, link, failure ?? 'NOT_FOUND'))
      services.events.ring()
      return
    }
    await services.db.transaction().execute(async (tx) => {
      if (!(await lockUnmailed(tx, linkUuid))) throw new Error('The link was mailed or revoked meanwhile')
      const mailUuid = await mailLink(tx, services.sealer, {
        uuid: linkUuid,
        url: linkAddress(address, secret),
        accountUuid: link.account_uuid,
        email: link.email,
        minutes: link.minutes_left,
        asksBirthDate: link.asks_birth_date,
        asksPassword: link.asks_password,
        isLater: true,
      })
      await holdOfOtherPatient(tx, services.config, { uuid: mailUuid, link_uuid: linkUuid })
    })
  },
  giveUp: async (tx, { linkUuid }, _work, { error }) => {
    const link = await findSentLink(tx, linkUuid)
    // cancelled by its person; any other end is one that the sender must see
    if (error === 'CANCELLED') await endLinkForGood(tx, linkUuid)
    else if (link) await giveUp(tx, link, 'NOT_FOUND')
    return undefined
  },
}

/** Has the sender see that the link was not mailed. */
async function giveUp(tx: Tx, link: SentLinkRow, failure: SendFailure): Promise<void> {
  if (!(await failSending(tx, link.uuid, failure))) return
  await writeEvent(tx, 'study', link.phi_namespace, link.study_uuid)
  await tellNotSent(tx, link.account_uuid, link.created_by)
}

type SendFailure = 'NOT_PERMITTED' | 'NOT_FOUND' | 'MIXED_PATIENTS'

async function whyNotSent({ db, log }: Services, link: SentLinkRow): Promise<SendFailure | undefined> {
  const membership = await findMembershipOf(db, link.created_by, link.phi_namespace, log)
  if (!membership || !mayShareWith('email', membership)) return 'NOT_PERMITTED'
  if (!mayGive(membership, whatLinkGives(link.permissions))) return 'NOT_PERMITTED'
  const record = await findRecordByUuid(db, link.study_uuid)
  const isThere = record !== undefined && !record.deleted && !(record.is_shared && record.sources.length === 0)
  if (!isThere) return 'NOT_FOUND'
  return (await showsUnseenMixed(db, link.uuid)) ? 'MIXED_PATIENTS' : undefined
}
