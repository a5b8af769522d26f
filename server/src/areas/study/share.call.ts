import { mayDo } from '@hilum/contract/acts'
import { type ShareInForce, studyShare } from '@hilum/contract/calls/study-share'
import { maxLinkMinutes, maxShareDelaySeconds, maxShareMessage, maxShareMinutes } from '@hilum/contract/limits'
import { digestOf } from '../../access/sid.ts'
import { listCapturedFields, listDefinitions } from '../customfield/customfield.sql.ts'
import { readFilledForm, sendsFieldValues } from '../customfield/field-values.policy.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { findLinkLimits } from '../link/link-limits.command.ts'
import { checkLinkValues, linkError, mayGive } from '../link/link-values.policy.ts'
import { sharedMail } from '../mail/mail-texts.ts'
import { publicAddress } from '../mail/public-address.ts'
import { isNameless } from '../nameless/nameless-copy.sql.ts'
import { readNominationForm } from '../nomination/nomination-form.ts'
import { findInboxConfig } from '../setting/inbox-config.sql.ts'
import { perShareCode } from '../session/attempt-rules.ts'
import { giveBackAttempt, mayAttempt } from '../session/attempt.sql.ts'
import { hashPassword } from '../user/password-hash.ts'
import { sendLink } from '../link/send-links.command.ts'
import { defaultMinutes } from './default-minutes.ts'
import { demandShared } from './demand-shared.ts'
import { demandFieldAccess } from './field-access.policy.ts'
import { nominateStudy } from './nominate-study.command.ts'
import { belongsTo, mayCopyToOneself, mayShareWith, mustApproveCode } from './share-recipient.policy.ts'
import { findGatekeeper, findRecipient, findRecipientOfCode, hasGroup, type Recipient } from './share-recipient.sql.ts'
import { shareOrChange } from './share-or-change.command.ts'
import { readTarget, type ShareTarget } from './share-target.policy.ts'
import { tellRecipient } from './tell-recipient.command.ts'

type Request = CallRequest<typeof studyShare>

export const share: Handler<typeof studyShare> = async (request) => {
  const { input, on, fail } = request
  const target = readTarget(input)
  const { delay = 0, expires } = input
  const message = input.message?.trim() ?? ''
  if (message.length > maxShareMessage) throw fail('INVALID_FIELD', { subtype: 'message' })
  if (delay < 0 || delay > maxShareDelaySeconds) throw fail('INVALID_FIELD', { subtype: 'delay' })
  if (expires !== undefined && (expires < 0 || expires > maxShareMinutes))
    throw fail('INVALID_FIELD', { subtype: 'expires' })
  if (!mayShareWith(target.kind, on)) throw fail('NOT_PERMITTED')
  if ((input.download === 1 || input.pin_auth === 1) && target.kind !== 'email') throw fail('INVALID_PARAMETERS')
  if (target.kind === 'email') return { user_invite_share_id: await shareByLinks(request, target.addresses, message) }
  const gatekeeper = target.kind === 'group' ? await findGatekeeperOf(request, target.uuid) : undefined
  if (gatekeeper) await nominate(request, gatekeeper, message)
  else if (target.kind !== 'code' && sendsFieldValues(request.raw)) throw fail('INVALID_PARAMETERS')
  else return { share: await shareWith(request, target, message) }
  return {}
}

async function findGatekeeperOf({ services, caller, on }: Request, uuid: string): Promise<Recipient | undefined> {
  const accountUuid = on.record.account_uuid
  return (await belongsTo(caller, accountUuid)) ? findGatekeeper(services.db, accountUuid, uuid) : undefined
}

/** NOMINATE-04: a share with a gatekeeper group, where the place of the study nominates to it. */
async function nominate(
  { services, input, raw, caller, on, origin, fail }: Request,
  gatekeeper: Recipient,
  message: string,
): Promise<void> {
  const { record } = on
  if (!mayDo(studyShare.asks['a gatekeeper group'], on)) throw fail('NOT_PERMITTED')
  const isLater = (input.delay ?? 0) > 0 || (input.expires ?? 0) > 0
  if (isLater || input.password || input.password_is_dob) throw fail('INVALID_PARAMETERS')
  const withAttachments = input.attachments === 1
  if (withAttachments) await demandAttachments({ services, on, fail })
  const own = await findInboxConfig(services.db, record.phi_namespace)
  const mayGoThere = own?.pacs_promote_groups.some((one) => one.toLowerCase() === gatekeeper.uuid)
  if (own?.group_designation !== 'CLOUD' || !mayGoThere) throw fail('NOT_PERMITTED', { subtype: 'group_id' })
  const definitions = await listDefinitions(services.db, [record.account_uuid], 'Study')
  const form = readNominationForm(await findInboxConfig(services.db, gatekeeper.namespace_uuid), definitions, raw)
  const answered = Object.entries(form.answers).map(([uuid, value]) => ({ uuid, name: '', value }))
  demandFieldAccess(on.membership.fieldFlags, {}, answered, definitions)
  const address = publicAddress(services.config, origin)
  await services.db.transaction().execute(async (tx) => {
    const done = await nominateStudy(tx, caller, record, gatekeeper, { form, message, withAttachments, address })
    demandShared(done)
  })
  services.events.ring()
}

/** Nobody gives away attached files that the role does not show; those of a copy without names stay. */
async function demandAttachments({ services, on, fail }: Pick<Request, 'services' | 'on' | 'fail'>): Promise<void> {
  const isGiven = mayDo(studyShare.asks.attachments, on) && !(await isNameless(services.db, on.record))
  if (!isGiven) throw fail('NOT_PERMITTED', { subtype: 'attachments' })
}

async function shareWith(
  { services, input, raw, caller, on, origin, fail }: Request,
  target: Exclude<ShareTarget, { kind: 'email' }>,
  message: string,
): Promise<ShareInForce> {
  const { record } = on
  if (input.attachments === 1) await demandAttachments({ services, on, fail })
  if (input.password || input.password_is_dob) throw fail('INVALID_PARAMETERS')
  const byCode = target.kind === 'code'
  const recipient = byCode
    ? await recipientOfCode({ services, caller, fail }, target.code)
    : await namedRecipient({ services, caller, on, fail }, target)
  if (recipient.namespace_uuid === record.phi_namespace) throw fail('SHARE_FAILED', { subtype: 'SAME' })
  if (recipient.uuid === caller.userUuid && !mayCopyToOneself(on.membership)) throw fail('NOT_PERMITTED')
  const customfields = byCode ? await filledFields(services, recipient.account_uuid, raw) : {}
  const isOutside = recipient.account_uuid !== record.account_uuid
  const defaultEnd = isOutside ? await defaultMinutes(services.db, record.account_uuid) : 0
  const asked = {
    message,
    delaySeconds: input.delay ?? 0,
    minutes: input.expires === undefined ? undefined : input.expires || null,
    defaultMinutes: defaultEnd || null,
    byCode,
    withAttachments: input.attachments === 1,
    mixedSeen: input.mixed_patients === 1,
    customfields,
  }
  const address = publicAddress(services.config, origin)
  const share = await services.db.transaction().execute(async (tx) => {
    const { tells, ...inForce } = await shareOrChange(tx, caller, on, recipient, asked)
    if (tells) await tellRecipient(tx, recipient, caller.userUuid, sharedMail(address, recipient.kind), inForce.uuid)
    return inForce
  })
  services.events.ring()
  return share
}

async function namedRecipient(
  { services, caller, on, fail }: Pick<Request, 'services' | 'caller' | 'on' | 'fail'>,
  named: Pick<Recipient, 'kind' | 'uuid'>,
): Promise<Recipient> {
  const accountUuid = on.record.account_uuid
  const isMember = await belongsTo(caller, accountUuid)
  const recipient = isMember ? await findRecipient(services.db, accountUuid, named) : undefined
  if (recipient) return recipient
  const isPlace = named.kind === 'group' || named.kind === 'location'
  const takesNone = isMember && isPlace && (await hasGroup(services.db, accountUuid, named.uuid))
  throw takesNone
    ? fail('SHARE_FAILED', { subtype: 'NO_DESTINATION' })
    : fail('NOT_FOUND', { subtype: `${named.kind}_id` })
}

/** Counted before it is tried, so that codes cannot be found by trying many. */
async function recipientOfCode(
  { services, caller, fail }: Pick<Request, 'services' | 'caller' | 'fail'>,
  code: string,
): Promise<Recipient> {
  const byPerson = digestOf(caller.userUuid)
  if (!(await mayAttempt(services.db, 'share-code-send', byPerson, perShareCode))) throw fail('LOCKOUT')
  const found = await findRecipientOfCode(services.db, { code })
  if (!found) throw fail('NOT_FOUND', { subtype: 'share_code' })
  await giveBackAttempt(services.db, 'share-code-send', byPerson)
  return { ...found, must_approve: mustApproveCode(found) }
}

/** The fields that the account of a share code asks of whoever sends, as on the page of the code. */
async function filledFields(
  { db }: Request['services'],
  accountUuid: string,
  raw: Request['raw'],
): Promise<Record<string, string>> {
  const values = readFilledForm(await listCapturedFields(db, accountUuid), raw)
  return Object.fromEntries(values.flatMap(({ uuid, value }) => (value === '' ? [] : [[uuid, value]])))
}

async function shareByLinks(
  { services, input, caller, on, origin, fail }: Request,
  addresses: readonly string[],
  message: string,
): Promise<string[]> {
  const limits = await findLinkLimits(services.db, on.record.account_uuid)
  const { delay = 0, password = '', expires = limits.minutes } = input
  const passwordIsDob = input.password_is_dob === 1
  checkLinkValues({ password, message }, limits.most)
  if (passwordIsDob && password) throw fail('INVALID_PARAMETERS')
  // a link cannot last for ever, nor end before it is mailed
  const minutes = expires + Math.ceil(delay / 60)
  if (expires === 0 || expires > limits.most || minutes > maxLinkMinutes)
    throw fail('INVALID_FIELD', { subtype: 'expires' })
  const gives = { download: input.download === 1, attachments: input.attachments === 1 }
  if (gives.attachments) await demandAttachments({ services, on, fail })
  if (!mayGive(on.membership, gives)) throw fail('NOT_PERMITTED')
  const passwordHash = password ? await hashPassword(password) : null
  const by = { caller, record: on.record, address: publicAddress(services.config, origin) }
  const factors = { passwordHash, passwordIsDob, pinAuth: input.pin_auth === 1 }
  const mixedSeen = input.mixed_patients === 1
  const options = { minutes, delaySeconds: delay, ...gives, ...factors, maxHits: null, message, mixedSeen }
  return services.db.transaction().execute(async (tx) => {
    const sent: string[] = []
    for (const email of addresses) {
      const done = await sendLink(tx, services.sealer, by, { ...options, email })
      if (done.kind !== 'made') throw linkError(done.kind)
      sent.push(done.uuid)
    }
    return sent
  })
}
