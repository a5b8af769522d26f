import { randomUUID } from 'node:crypto'
import { type accountUserHandOver, holdingActs, type HoldingKind } from '@hilum/contract/calls/account-leaver'
import { listMembershipsOfUser } from '../../access/membership.sql.ts'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
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
    const count = kind === 'studies' ? shared : await handOverRows(tx, kind, whole)
    if (count === 0) return 0
    await note(tx, request, { handed_over: kind, to: taker.uuid, with: taker.name, count })
    if (taker.uuid !== caller.userUuid) {
      const mail = { uuid: randomUUID(), accountUuid: on.ownerUuid, recipient: taker.user_email }
      await insertMail(tx, { ...mail, ...handedOverMail(publicAddress(services.config, origin)) })
    }
    return count
  })
}

async function handOverRows(tx: Tx, kind: HoldingKind, whole: change.HandOver): Promise<number> {
  switch (kind) {
    case 'links':
      return change.handOverLinks(tx, whole)
    case 'requests':
      return change.handOverRequests(tx, whole)
    case 'searches':
      return change.handOverSearches(tx, whole)
    case 'rules':
      return change.handOverRules(tx, whole)
    case 'nominations':
      return change.handOverNominations(tx, whole)
    case 'exams':
      return tellOf(tx, await change.handOverExams(tx, whole))
    case 'studies':
    case 'keys':
      return 0
  }
}

async function endAll(request: Request, leaver: Leaver): Promise<number> {
  const { services, input, caller, on } = request
  const { kind } = input
  const people = { accountUuid: on.ownerUuid, from: leaver.user_id }
  const removed = kind === 'studies' ? await removeStudies(services.db, caller, people) : 0
  return services.db.transaction().execute(async (tx) => {
    const count = kind === 'studies' ? removed : await endRows(tx, request, people)
    if (count > 0) await note(tx, request, { ended: kind, count })
    return count
  })
}

async function endRows(
  tx: Tx,
  request: Request,
  { accountUuid, from }: { accountUuid: string; from: string },
): Promise<number> {
  switch (request.input.kind) {
    case 'links':
      return closeLinks(tx, request, await change.endLinksOf(tx, accountUuid, from, 'STUDY_VIEW'))
    case 'requests':
      return closeLinks(tx, request, await change.endLinksOf(tx, accountUuid, from, 'STUDY_UPLOAD'))
    case 'searches':
      return change.deleteSearchesOf(tx, accountUuid, from)
    case 'rules':
      return change.deleteRulesOf(tx, accountUuid, from)
    case 'exams':
      return tellOf(tx, await change.releaseExamsOf(tx, accountUuid, from))
    case 'keys':
      return change.endKeysOf(tx, accountUuid, from)
    case 'studies':
    case 'nominations':
      return 0
  }
}

/** Puts each end on record where the link is, as by hand. @returns how many links there were */
async function closeLinks(
  tx: Tx,
  { caller, on }: Request,
  ended: Awaited<ReturnType<typeof change.endLinksOf>>,
): Promise<number> {
  // a mail that has not left yet never carries the address
  await wipeMailsOfLinks(
    tx,
    ended.map(({ uuid }) => uuid),
  )
  for (const { uuid, namespace_uuid, study_uuid } of ended) {
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'DELETE',
      type: 'Link',
      objectUuid: study_uuid ?? namespace_uuid ?? on.ownerUuid,
      ...(namespace_uuid ? { phiNamespace: namespace_uuid } : {}),
      detail: { link: uuid },
    })
  }
  return new Set(ended.map(({ uuid }) => uuid)).size
}

async function tellOf(tx: Tx, exams: Awaited<ReturnType<typeof change.releaseExamsOf>>): Promise<number> {
  for (const { phi_namespace: namespace, uuid } of exams) await writeEvent(tx, 'study', namespace, uuid)
  return exams.length
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
