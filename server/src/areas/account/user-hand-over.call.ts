import { randomUUID } from 'node:crypto'
import { type accountUserHandOver, holdingActs, type HoldingKind } from '@hilum/contract/calls/account-leaver'
import { listMembershipsOfUser } from '../../access/membership.sql.ts'
import type { Tx } from '../../db/database.ts'
import { type AuditEntry, writeAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { handedOverMail } from '../mail/mail-texts.ts'
import { insertMail, wipeMailsOfLinks } from '../mail/mail.sql.ts'
import { publicAddress } from '../mail/public-address.ts'
import { findRecipient, type Recipient } from '../study/share-recipient.sql.ts'
import * as change from './hand-over.sql.ts'
import { handOverStudies, removeStudies } from '../study/hand-over-studies.command.ts'
import { findLeaver, type Leaver, listHoldings } from './holdings.sql.ts'

type Request = CallRequest<typeof accountUserHandOver>

export const userHandOver: Handler<typeof accountUserHandOver> = async (request) => {
  const { services, input, on, fail } = request
  const { kind, to_user_id: to, end } = input
  if ((end === 1) === (to !== undefined)) throw fail('INVALID_PARAMETERS')
  if (!(end === 1 ? holdingActs[kind].mayEnd : holdingActs[kind].mayHandOver)) throw fail('INVALID_PARAMETERS')
  const leaver = await findLeaver(services.db, on.ownerUuid, input.user_id)
  if (!leaver) throw fail('USER_NOT_FOUND')
  // somebody who works here gives things away alone
  if (leaver.is_active === 1) throw fail('NOT_PERMITTED', { subtype: 'STILL_ACTIVE' })
  const taker = to === undefined ? undefined : await findTaker(request, to)
  const count = taker ? await handOver(request, leaver, taker) : await endAll(request, leaver)
  services.events.ring()
  const held = await listHoldings(services.db, on.ownerUuid, leaver.user_id)
  return { count, left: held.find((one) => one.kind === kind)?.count ?? 0 }
}

/** Somebody who works in the account and began in it: personal studies do not leave the organisation by this way. */
async function findTaker({ services, on, fail }: Request, uuid: string): Promise<Recipient> {
  const found = await findRecipient(services.db, on.ownerUuid, { kind: 'user', uuid })
  if (found?.account_uuid !== on.ownerUuid) throw fail('USER_NOT_FOUND', { subtype: 'to_user_id' })
  return found
}

async function handOver(request: Request, leaver: Leaver, taker: Recipient): Promise<number> {
  const { services, input, caller, on, origin } = request
  const { kind } = input
  const people = { accountUuid: on.ownerUuid, from: leaver.user_id }
  const shared = kind === 'studies' ? await handOverStudies(services.db, caller, people, taker) : 0
  const places = await listMembershipsOfUser(services.db, taker.uuid)
  const whole = {
    ...people,
    to: taker.uuid,
    fromEmail: leaver.user_email,
    toEmail: taker.user_email,
    namespaces: places.map((one) => one.namespace_uuid),
  }
  return services.db.transaction().execute(async (tx) => {
    const given = kind === 'studies' ? [] : await handOverRows(tx, kind, whole)
    const count = kind === 'studies' ? shared : countOf(given)
    if (count === 0) return 0
    await noteEach(tx, request, given, { in_charge: [leaver.user_name, taker.name] })
    await note(tx, request, { handed_over: kind, to: taker.uuid, with: taker.name, count })
    if (taker.uuid !== caller.userUuid) {
      const mail = { uuid: randomUUID(), accountUuid: on.ownerUuid, recipient: taker.user_email }
      await insertMail(tx, { ...mail, ...handedOverMail(publicAddress(services.config, origin)) })
    }
    return count
  })
}

/** One thing of a person, as the audit names it. */
interface Thing {
  /** Of a link to several studies, once for each of them. */
  uuid: string
  row: Pick<AuditEntry, 'type' | 'objectUuid' | 'phiNamespace' | 'detail'>
}

const countOf = (things: readonly Thing[]) => new Set(things.map(({ uuid }) => uuid)).size

async function handOverRows(tx: Tx, kind: HoldingKind, whole: change.HandOver): Promise<Thing[]> {
  switch (kind) {
    case 'links':
      return (await change.handOverLinks(tx, whole)).map((one) => linkOf(whole, one))
    case 'requests':
      return (await change.handOverRequests(tx, whole)).map((one) => linkOf(whole, one))
    case 'searches':
      return (await change.handOverSearches(tx, whole)).map((one) => named('Filter', one))
    case 'rules':
      return (await change.handOverRules(tx, whole)).map((one) => named('Route', one))
    case 'nominations':
      return (await change.handOverNominations(tx, whole)).map(examOf)
    case 'exams':
      return tellOf(tx, await change.handOverExams(tx, whole))
    case 'studies':
    case 'keys':
      return []
  }
}

async function endAll(request: Request, leaver: Leaver): Promise<number> {
  const { services, input, caller, on } = request
  const { kind } = input
  const people = { accountUuid: on.ownerUuid, from: leaver.user_id }
  const removed = kind === 'studies' ? await removeStudies(services.db, caller, people) : 0
  return services.db.transaction().execute(async (tx) => {
    const ended = await endRows(tx, kind, people)
    const count = kind === 'studies' ? removed : countOf(ended)
    if (kind === 'exams') await noteEach(tx, request, ended, { in_charge: [leaver.user_name, ''] })
    else if (kind === 'keys') await noteEach(tx, request, ended, { user_id: leaver.user_id }, 'KEY_END')
    else await noteEach(tx, request, ended, {}, 'DELETE')
    if (count > 0) await note(tx, request, { ended: kind, count })
    return count
  })
}

type People = Pick<change.HandOver, 'accountUuid' | 'from'>

async function endRows(tx: Tx, kind: HoldingKind, people: People): Promise<Thing[]> {
  const { accountUuid, from } = people
  switch (kind) {
    case 'links':
      return closeLinks(tx, people, await change.endLinksOf(tx, accountUuid, from, 'STUDY_VIEW'))
    case 'requests':
      return closeLinks(tx, people, await change.endLinksOf(tx, accountUuid, from, 'STUDY_UPLOAD'))
    case 'searches':
      return (await change.deleteSearchesOf(tx, accountUuid, from)).map((one) => named('Filter', one))
    case 'rules':
      return (await change.deleteRulesOf(tx, accountUuid, from)).map((one) => named('Route', one))
    case 'exams':
      return tellOf(tx, await change.releaseExamsOf(tx, accountUuid, from))
    case 'keys':
      return (await change.endKeysOf(tx, accountUuid, from)).map((one) => named('Session', one))
    case 'studies':
    case 'nominations':
      return []
  }
}

type EndedLinks = Awaited<ReturnType<typeof change.endLinksOf>>

async function closeLinks(tx: Tx, people: People, ended: EndedLinks): Promise<Thing[]> {
  // a mail that has not left yet never carries the address
  await wipeMailsOfLinks(
    tx,
    ended.map(({ uuid }) => uuid),
  )
  return ended.map((one) => linkOf(people, one))
}

async function tellOf(tx: Tx, exams: Awaited<ReturnType<typeof change.releaseExamsOf>>): Promise<Thing[]> {
  for (const { phi_namespace: namespace, uuid } of exams) await writeEvent(tx, 'study', namespace, uuid)
  return exams.map(examOf)
}

/** A link is on record where it leads, as by hand. */
function linkOf(
  { accountUuid }: People,
  { uuid, namespace_uuid: place, study_uuid: study }: EndedLinks[number],
): Thing {
  const objectUuid = study ?? place ?? accountUuid
  return { uuid, row: { type: 'Link', objectUuid, ...(place ? { phiNamespace: place } : {}), detail: { link: uuid } } }
}

function named(type: AuditEntry['type'], { uuid, name }: { uuid: string; name: string }): Thing {
  return { uuid, row: { type, objectUuid: uuid, detail: { name } } }
}

function examOf({ uuid, phi_namespace: phiNamespace }: { uuid: string; phi_namespace: string }): Thing {
  return { uuid, row: { type: 'Study', objectUuid: uuid, phiNamespace, detail: {} } }
}

/** Puts each thing on record, beside what `note` says of the person. */
async function noteEach(
  tx: Tx,
  { caller, on }: Request,
  things: readonly Thing[],
  detail: Record<string, unknown>,
  action: AuditEntry['action'] = 'EDIT',
): Promise<void> {
  for (const { row } of things)
    await writeAudit(tx, { accountUuid: on.ownerUuid, caller, action, ...row, detail: { ...row.detail, ...detail } })
}

async function note(tx: Tx, { caller, on, input }: Request, detail: Record<string, unknown>): Promise<void> {
  await writeAudit(tx, {
    accountUuid: on.ownerUuid,
    caller,
    action: 'EDIT',
    type: 'User',
    objectUuid: input.user_id,
    detail,
  })
}
