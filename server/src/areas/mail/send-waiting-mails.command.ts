import { isRefusedForGood, type MailSender, openSmtpSender } from '../../outbound/mail/smtp-sender.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { fillSecret } from './mail-label.ts'
import {
  type DueMail,
  lockMailToGiveUp,
  noteMailFailed,
  noteMailSent,
  takeDueMail,
  wipeExpiredSecrets,
} from './mail.sql.ts'
import { holdOfOtherPatient } from './hold-mail.command.ts'
import { noteReturned } from './note-returned.command.ts'

const mostAtOnce = 100
const longestReason = 500
const notInTime = 'No mail server took it in time'

/**
 * Sends the mails that are due; one of a link whose exam is of another patient by now is held. Without a mail server they stay in the outbox; secrets in mails end on time. One that
 * fails keeps its reason and is tried again, for days; once the server itself fails, the others wait for the next time.
 */
export async function sendWaitingMails(services: Pick<Services, 'config' | 'db' | 'log' | 'sealer'>): Promise<void> {
  const { config, db, log } = services
  await wipeExpiredSecrets(db)
  if (!config.smtpUrl) return
  await giveUpLate(services)
  let sender: MailSender | undefined
  try {
    for (let sent = 0; sent < mostAtOnce; sent++) {
      const mail = await takeDueMail(db)
      if (!mail) return
      const { uuid, checked_link: link } = mail
      const isHeld =
        link && (await db.transaction().execute((tx) => holdOfOtherPatient(tx, config, { uuid, link_uuid: link })))
      if (isHeld) continue
      sender ??= await openSmtpSender({ ...config, smtpUrl: config.smtpUrl })
      const failure = await send(services, sender, mail)
      if (failure === undefined) continue
      log.warn({ event: 'mail not sent', mail: mail.uuid, err: failure })
      if (isServerFailure(failure)) return
    }
  } finally {
    sender?.close()
  }
}

/** Gives up what was not sent in its time, and tells whoever gave the link that it was of. */
async function giveUpLate({ config, db }: Pick<Services, 'config' | 'db'>): Promise<void> {
  const giveUpOne = async (tx: Tx) => {
    const late = await lockMailToGiveUp(tx)
    if (!late) return false
    const reason = [notInTime, late.last_error].filter(Boolean).join(': ').slice(0, longestReason)
    await noteReturned(tx, config, late.uuid, reason, 'givenUp')
    return true
  }
  for (let count = 0; count < mostAtOnce; count++) if (!(await db.transaction().execute(giveUpOne))) return
}

/** @returns what went wrong, once it is noted with the mail */
async function send(
  services: Pick<Services, 'config' | 'db' | 'sealer'>,
  sender: MailSender,
  mail: DueMail,
): Promise<unknown> {
  const { config, db, sealer } = services
  const secret = mail.sealed_secret ? sealer.open(mail.sealed_secret, mail.uuid) : ''
  try {
    if (secret === undefined)
      throw new UnreadableSecret('Its link was sealed by another installation; ask for a new one')
    await sender.send({ ...mail, body: fillSecret(mail.body, secret) })
  } catch (error) {
    const reason = secret ? reasonOf(error).replaceAll(secret, '…') : reasonOf(error)
    if (isRefusedForGood(error)) {
      await db.transaction().execute((tx) => noteReturned(tx, config, mail.uuid, reason))
    } else await noteMailFailed(db, mail.uuid, reason)
    return error
  }
  await noteMailSent(db, mail.uuid)
  return undefined
}

class UnreadableSecret extends Error {
  readonly code = 'EMESSAGE'
}

/** Faults of encryption and the setting that mends each; the words of their programs name no setting of ours. */
const settingsOfFaults = [
  [
    /unable to (verify|get)[\w\s]* certificate|self-signed certificate/i,
    'The certificate of the mail server is of an authority that is not known here. Set HILUM_SMTP_CA to a file with the certificate of this authority',
  ],
  [/must issue a STARTTLS|encryption required/i, 'The mail server wants encryption. Set HILUM_SMTP_TLS=required'],
  [
    /upgrading connection with STARTTLS|support required STARTTLS/i,
    'The mail server offers no encryption (STARTTLS). Where mails may go in clear text, set HILUM_SMTP_TLS=none',
  ],
] as const

function reasonOf(error: unknown): string {
  const words = error instanceof Error ? error.message : 'The mail server failed'
  const [, known] = settingsOfFaults.find(([fault]) => fault.test(words)) ?? []
  return (known ? `${known} (${words})` : words).slice(0, longestReason)
}

/** The way to the server or the login at it failed, not this one mail. */
function isServerFailure(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code !== 'EENVELOPE' && code !== 'EMESSAGE'
}
