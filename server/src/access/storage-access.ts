import { type Act, mayDo } from '@hilum/contract/acts'
import type { Route } from '@hilum/contract/route'
import { StorageError } from '@hilum/contract/storage-errors'
import { uuidForm } from '@hilum/contract/wire'
import type { FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import type { Asker, Membership } from './caller.ts'
import { alsoAsk, openDoor } from './door-of-request.ts'
import { findCaller } from './find-caller.ts'
import { sidOfRequest } from './sid-of-request.ts'
import { isSameAccess, type StudyAccess, seeRecord } from './study-access.ts'
import { findRecordByUid, findRecordByUuid, listRecordsOfStored } from './study-record.sql.ts'

/**
 * The caller of a storage or DICOMweb request: sid in the query, bearer token, or – for GET and HEAD – the cookie.
 * @throws StorageError ACCESS_DENIED without a live session, FORBIDDEN when a derived one would write
 */
export async function authorise(
  services: Services,
  request: FastifyRequest,
  { opensToDerived }: Pick<Route, 'opensToDerived'> = {},
): Promise<Asker> {
  const sid = sidOfRequest(request, { cookieToo: request.method === 'GET' || request.method === 'HEAD' })
  const caller = sid ? await findCaller(services.db, sid, request.ip, { log: services.log }) : undefined
  if (!caller) throw new StorageError('ACCESS_DENIED')
  const mayWrite = !caller.derivedStudies || (opensToDerived === true && caller.kind !== 'link')
  if (!mayWrite && request.method !== 'GET' && request.method !== 'HEAD') {
    // the login is a valid one: signing in again, as on ACCESS_DENIED a DICOMweb client would, changes nothing
    throw new StorageError('FORBIDDEN', 'This session may only read')
  }
  openDoor(services.access, request, caller)
  return caller
}

/**
 * Opens a namespace to write into or list.
 * @throws StorageError ACCESS_DENIED when it is unknown, foreign, or the act is not allowed there
 */
export async function openNamespace(...asked: [caller: Asker, namespaceUuid: string, act: Act]): Promise<Membership> {
  const opened = await lookForNamespace(...asked)
  const [caller, ...more] = asked
  alsoAsk(caller, async (fresh) => (await unlessRefused(lookForNamespace(fresh, ...more))) !== undefined)
  return opened
}

async function lookForNamespace(caller: Asker, namespaceUuid: string, act: Act): Promise<Membership> {
  const membership = (await caller.memberships()).find((one) => one.namespaceUuid === namespaceUuid.toLowerCase())
  if (!membership || caller.derivedStudies || !mayDo(act, membership)) {
    throw new StorageError('ACCESS_DENIED')
  }
  return membership
}

/** The stored study that is asked for. Without phiNamespace the caller's own record of it is looked for. */
interface StoredStudyKey {
  storageNamespace: string
  studyUid: string
  phiNamespace?: string | undefined
}

/**
 * Opens a stored study through a record that the caller may see.
 * @throws StorageError ACCESS_DENIED (a namespace that is unknown or foreign, or a missing permission);
 *   STUDY_NOT_FOUND (no such study in a namespace that the caller belongs to)
 */
export async function openStudy(
  services: Services,
  caller: Asker,
  key: StoredStudyKey,
  act: Act = 'viewStudy',
): Promise<StudyAccess> {
  const opened = await lookForStudy(services, caller, key, act)
  alsoAsk(caller, async (fresh) => isSameAccess(opened, await unlessRefused(lookForStudy(services, fresh, key, act))))
  return opened
}

/**
 * Opens the record of this uuid and no other, as `openStudy` opens the one that the names of a study mean now.
 * @throws StorageError ACCESS_DENIED, in the same words whether the record is foreign, hidden, deleted or not there
 */
export async function openStudyByUuid(services: Services, caller: Asker, uuid: string, act: Act): Promise<StudyAccess> {
  const opened = await lookForRecord(services, caller, uuid, act)
  if (!opened) throw new StorageError('ACCESS_DENIED')
  alsoAsk(caller, async (fresh) => isSameAccess(opened, await lookForRecord(services, fresh, uuid, act)))
  return opened
}

async function lookForRecord(
  { db }: Services,
  caller: Asker,
  uuid: string,
  act: Act,
): Promise<StudyAccess | undefined> {
  const record = uuidForm.test(uuid) ? await findRecordByUuid(db, uuid) : undefined
  const access = record && !record.deleted ? await seeRecord(caller, record) : undefined
  return access && mayDo(act, access) ? access : undefined
}

/** Undefined where it is refused; other failures are not an answer. */
async function unlessRefused<Found>(looking: Promise<Found>): Promise<Found | undefined> {
  try {
    return await looking
  } catch (error) {
    if (error instanceof StorageError) return undefined
    throw error
  }
}

async function lookForStudy(services: Services, caller: Asker, key: StoredStudyKey, act: Act): Promise<StudyAccess> {
  if (!uuidForm.test(key.storageNamespace) || (key.phiNamespace && !uuidForm.test(key.phiNamespace))) {
    throw new StorageError('ACCESS_DENIED')
  }
  const memberships = await caller.memberships()
  const asked = key.phiNamespace?.toLowerCase()
  const mine = memberships.map((one) => one.namespaceUuid)
  const records = asked
    ? [await findRecordByUid(services.db, asked, key.studyUid, key.storageNamespace)]
    : await listRecordsOfStored(services.db, mine, key.storageNamespace, key.studyUid)
  let isSeen = false
  for (const record of records) {
    const access = record && (await seeRecord(caller, record))
    if (access && mayDo(act, access)) return access
    isSeen ||= Boolean(access) // another record of it may allow what this one does not
  }
  if (isSeen) throw new StorageError('ACCESS_DENIED')
  const isMember = memberships.some((one) => one.namespaceUuid === (asked ?? key.storageNamespace.toLowerCase()))
  throw isMember && !caller.derivedStudies
    ? new StorageError('STUDY_NOT_FOUND', undefined, { study_uid: key.studyUid })
    : new StorageError('ACCESS_DENIED')
}
