import { mayDo } from '@hilum/contract/acts'
import { findMembershipOf } from '../../access/find-caller.ts'
import { findRecordByUuid, type StudyRecord } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import { writeEvent } from '../event/event.sql.ts'
import { follows } from '../ingest/following.ts'
import { addIdentities } from '../ingest/patient-identity.ts'
import { type ImageArrival, UPLOAD_QUIET_SECONDS } from '../ingest/receive-image.command.ts'
import type { JobActs } from '../job.ts'
import { publicAddress } from '../mail/public-address.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { WorkFailure } from '../job/work-failure.ts'
import { findContentVersion } from '../retention/delete-images.sql.ts'
import { lockOpenStudies, lockStoredStudy, type StoredKey } from '../storage/ingest.sql.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { findOwnIssuer } from '../altered/mrn-holders.sql.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import { storeMoved } from './moved-image.command.ts'
import { readNamed } from './named-images.command.ts'
import { findNewUids } from './find-new-uids.command.ts'
import { lockMerging } from './lock-merging.command.ts'
import { newUidFor } from './new-uids.ts'
import { planMerge } from './plan-merge.command.ts'
import { listBars } from './obstacles.command.ts'
import {
  extendSeparation,
  findSeparation,
  listArrivedSince,
  listPinned,
  lockSeparation,
  noteStored,
  type SeparationRow,
  setSeparation,
} from './separation.sql.ts'
import { readShownExam } from './shown-exam.command.ts'
import { switchMerge } from './switch-merge.command.ts'
import { switchRecords } from './switch-records.command.ts'

/** Images stored anew at once. */
const AT_ONCE = 4
/** Looks at what came meanwhile, before the next run of the work. */
const MAX_ROUNDS = 5

/**
 * Stores the images of a separation anew where nobody sees them, and shows them in one transaction with which they
 * leave their former study. Run again after a broken run, what was stored is met as the same.
 */
export const makeSeparationActs: JobActs<PayloadOf<'makeSeparation'>> = {
  run: async (services, { separationUuid }, { signal }) => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const one = await findSeparation(services.db, separationUuid)
      if (!one || one.state !== 'making') return
      await openRecord(services, one)
      const contentVersion = await findContentVersion(services.db, keyOf(one))
      const ready = await takeInLate(services, one)
      await storeAll(services, ready, signal)
      const show = ready.kind === 'merge' ? showMerged : showSplit
      if (await show(services, ready, contentVersion)) {
        services.events.ring()
        return
      }
    }
    throw new WorkFailure('STALE', 'Images come for the exam; this is tried again')
  },
  giveUp: async (tx, { separationUuid }, _work, { message }) => {
    const one = await findSeparation(tx, separationUuid)
    if (!one || one.state !== 'making') return undefined
    await setSeparation(tx, separationUuid, { state: 'failed', message })
    await writeEvent(tx, 'study', one.phi_namespace, one.study_uuid)
    const record = one.kind === 'merge' ? await findRecordByUuid(tx, one.study_uuid) : undefined
    if (record && !record.deleted) await tellEvent(tx, 'STUDY_MERGE_FAIL', [record])
    return undefined
  },
}

const refuse = (code: string, words: string) => new WorkFailure(code, words, { isFinal: true })

function keyOf({ phi_namespace, study_uid, study_generation }: SeparationRow): StoredKey {
  return { storage_namespace: phi_namespace, study_uid, generation: study_generation }
}

/** The record with the rights of this moment. @throws WorkFailure, final */
async function openRecord(services: Services, one: SeparationRow): Promise<StudyRecord> {
  const record = await findRecordByUuid(services.db, one.study_uuid)
  if (!record || record.deleted) throw refuse('NOT_FOUND', 'The exam is no longer there')
  const membership = await findMembershipOf(services.db, one.user_uuid, record.phi_namespace, services.log)
  if (!membership || !mayDo('findStudy', membership) || !mayDo('splitStudy', membership))
    throw refuse('NOT_PERMITTED', 'The person who asked for it may not move images of the exam any more')
  return record
}

/** Images that came since the separation began move along where they follow the others. */
async function takeInLate(services: Services, one: SeparationRow): Promise<SeparationRow> {
  const late = await listArrivedSince(services.db, one)
  if (late.length === 0) return one
  const named = await readNamed(services.store, late, one.phi_namespace)
  const moved = new Set((await listPinned(services.db, one)).map((image) => image.sop_uid))
  const isMoving = ({ identity, instance }: (typeof named)[number]) =>
    follows({ identity, seriesUid: instance.series_uid, wasMoved: moved.has(instance.sop_uid) }, one)
  const moving = named.filter(isMoving)
  const spellings = (images: typeof named) => images.map(({ identity }) => identity)
  const found = {
    seqs: moving.map(({ instance }) => instance.seq),
    upToSeq: late.at(-1)?.seq ?? one.up_to_seq,
    moved: addIdentities(one.moved_identities, spellings(moving)),
    staying: addIdentities(one.kept_identities, spellings(named.filter((image) => !isMoving(image)))),
  }
  await services.db.transaction().execute((tx) => extendSeparation(tx, one.uuid, found))
  return {
    ...one,
    moved_identities: found.moved,
    kept_identities: found.staying,
    up_to_seq: found.upToSeq,
    images: one.images + moving.length,
  }
}

async function storeAll(services: Services, one: SeparationRow, signal: AbortSignal): Promise<void> {
  const images = await listPinned(services.db, one)
  if (images.length < one.images) throw refuse('STALE', 'Images that were to move were deleted meanwhile')
  const renamed = await findNewUids(services, one, images)
  const waiting = images.filter((image) => image.new_version === null)
  for (let start = 0; start < waiting.length; start += AT_ONCE) {
    signal.throwIfAborted()
    const stored = await Promise.all(
      waiting.slice(start, start + AT_ONCE).map(async (image) => {
        const version = await storeMoved(services, one, image, renamed, arrivalOf(services, one))
        return { seq: image.seq, version }
      }),
    )
    await noteStored(services.db, one.uuid, stored)
  }
}

/** Images of a split wait in the study that they make, those of a merge under a study that nobody knows. */
function stagedAs({ config }: Pick<Services, 'config'>, one: SeparationRow): string {
  return one.kind === 'merge' ? newUidFor(one.uuid, config.uidRoot, one.to_study_uid) : one.to_study_uid
}

function arrivalOf(services: Services, one: SeparationRow): ImageArrival {
  return {
    namespaceUuid: one.phi_namespace,
    accountUuid: one.account_uuid,
    source: 'upload',
    actor: one.user_uuid,
    quietSeconds: UPLOAD_QUIET_SECONDS,
    expectedStudyUid: one.to_study_uid,
    stagedAs: stagedAs(services, one),
    isUnshown: true,
  }
}

/** @returns false where images came or went since they were looked at. @throws WorkFailure, final, where something is in the way */
async function showSplit(services: Services, one: SeparationRow, contentVersion: number | undefined): Promise<boolean> {
  const images = await listPinned(services.db, one)
  const [image] = images
  if (!image) throw refuse('STALE', 'Images that were to move were deleted meanwhile')
  const [named] = await readNamed(services.store, [image], one.phi_namespace)
  if (!named) throw refuse('NOT_READY', 'An image that was to move cannot be read')
  const record = await openRecord(services, one)
  return services.db.transaction().execute(async (tx) => {
    await lockSharing(tx, one.study_uid)
    const from = await lockStoredStudy(tx, keyOf(one))
    const [staged] = await lockOpenStudies(tx, [{ storage_namespace: one.phi_namespace, study_uid: one.to_study_uid }])
    const locked = await lockSeparation(tx, one.uuid)
    if (!from || !staged || locked?.state !== 'making') throw refuse('STALE', 'The exam changed meanwhile')
    if ((await findContentVersion(tx, from)) !== contentVersion) return false
    const [bar] = await listBars(tx, [from])
    if (bar) throw refuse('NOT_AVAILABLE', barWords[bar])
    const current = await findRecordByUuid(tx, record.uuid)
    if (!current || current.deleted) throw refuse('NOT_FOUND', 'The exam is no longer there')
    await switchRecords(tx, {
      one: locked,
      from,
      staged,
      first: named.demographics,
      issuer: await findOwnIssuer(tx, one.account_uuid),
      address: publicAddress(services.config, { host: '', isHttps: false }),
    })
    return true
  })
}

/** @returns false where images came or went since they were looked at. @throws WorkFailure, final, where something is in the way */
async function showMerged(
  services: Services,
  one: SeparationRow,
  contentVersion: number | undefined,
): Promise<boolean> {
  await openRecord(services, one)
  const shownExam = await readShownExam(services, one)
  return services.db.transaction().execute(async (tx) => {
    const { from, to } = await lockMerging(tx, one)
    const staging = { storage_namespace: one.phi_namespace, study_uid: stagedAs(services, one) }
    const [staged] = await lockOpenStudies(tx, [staging])
    const locked = await lockSeparation(tx, one.uuid)
    if (!from || !to || !staged || locked?.state !== 'making') throw refuse('STALE', 'The exams changed meanwhile')
    if ((await findContentVersion(tx, from)) !== contentVersion) return false
    const [bar] = await listBars(tx, [from, to])
    if (bar) throw refuse('NOT_AVAILABLE', barWords[bar])
    const moving = await findRecordByUuid(tx, one.study_uuid)
    const staying = one.to_study_uuid ? await findRecordByUuid(tx, one.to_study_uuid) : undefined
    if (!moving || moving.deleted) throw refuse('NOT_FOUND', 'The exam is no longer there')
    if (!staying || staying.deleted) throw refuse('NOT_FOUND', 'The exam that the images go to is no longer there')
    const { moves, stays } = await planMerge(tx, { moving, staying }, one.user_uuid)
    const why = [...moves.obstacles, ...stays.obstacles]
    if (why.includes('other-patient')) throw refuse('NOT_AVAILABLE', 'The exams are of two different patients by now')
    if (why.includes('mixed')) throw refuse('NOT_AVAILABLE', 'The images of an exam name several patients by now')
    const address = publicAddress(services.config, { host: '', isHttps: false })
    await switchMerge(tx, { one: locked, from, to, staged, shownExam, address })
    return true
  })
}

const barWords = {
  hold: 'A legal hold keeps the exam as it is',
  frozen: 'The exam is frozen',
  nominated: 'The exam is nominated and waits for an answer',
  pushing: 'The exam is being sent',
}
