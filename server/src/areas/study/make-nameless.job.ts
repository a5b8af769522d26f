import { mayDo } from '@hilum/contract/acts'
import { findMembershipOf } from '../../access/find-caller.ts'
import { findRecordByUid, findRecordByUuid } from '../../access/study-record.sql.ts'
import { DicomReadError } from '@hilum/dicom/read-error'
import type { Db, Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { completeStudy } from '../ingest/complete-study.command.ts'
import { type ImageArrival, receiveImage, UPLOAD_QUIET_SECONDS } from '../ingest/receive-image.command.ts'
import type { JobActs } from '../job.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { deleteRecord } from '../retention/delete-record.command.ts'
import { WorkFailure } from '../job/work-failure.ts'
import { namelessImage } from '../nameless/nameless-image.command.ts'
import { findCopy, isStillMaking, type NamelessCopyRow, noteCopy } from '../nameless/nameless-copy.sql.ts'
import { type NamelessSource, openNamelessSource } from '../nameless/nameless-source.command.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { hideHalf } from './retract-study.command.ts'
import { findInForce, putHiddenIntoBin } from './retraction.sql.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'

/** Images between two notes of how far a copy is. */
const NOTE_EVERY = 25

/**
 * Makes a copy of a study without names as a study of its own in the same place. Run again after a broken run, what was
 * stored is met as the same. Nothing is given to anybody here: the person does that with a copy that is made.
 */
export const makeNamelessActs: JobActs<PayloadOf<'makeNameless'>> = {
  run: async (services, { copyUuid }, { signal }) => {
    const copy = await findCopy(services.db, copyUuid)
    if (!copy || copy.state === 'made') return
    await demandMaking(services.db, copy)
    const source = await openSource(services, copy)
    const counts = await storeImages(services, copy, source, signal)
    if (counts.images === 0) throw refuse('NOT_READY', 'No image of the exam can leave without names')
    // hours may have passed: another patient, a retraction or the end of a right must not have come meanwhile
    await openSource(services, copy)
    await services.db.transaction().execute(async (tx) => {
      await demandMaking(tx, copy)
      const made = await findRecordByUid(tx, copy.phi_namespace, copy.copy_study_uid)
      if (!made) throw refuse('NOT_FOUND', 'The copy was deleted while it was made')
      await completeStudy(tx, made, new Date())
      await noteCopy(tx, copy.uuid, { state: 'made', ...counts })
      const detail = { copy: made.uuid, recipient: copy.recipient, request: copy.uuid, ...counts }
      await writeStudyAudit(tx, undefined, auditedRecord(copy), 'STUDY_ANONYMIZE', detail)
      await writeEvent(tx, 'study', copy.phi_namespace, copy.study_uuid)
    })
    services.events.ring()
  },
  giveUp: async (tx, { copyUuid }, _work, { message }) => {
    const copy = await findCopy(tx, copyUuid)
    if (!copy || copy.state === 'made') return undefined
    await noteCopy(tx, copyUuid, { state: 'failed', message })
    // half of a copy is no exam that anybody should give away
    await removeHalf(tx, copy)
    await writeEvent(tx, 'study', copy.phi_namespace, copy.study_uuid)
    const record = await findRecordByUuid(tx, copy.study_uuid)
    if (record && !record.deleted) await tellEvent(tx, 'STUDY_DEID_FAIL', [record])
    return undefined
  },
}

const refuse = (code: string, words: string) => new WorkFailure(code, words, { isFinal: true })

/** Waits for whoever takes back now what a copy comes from. @throws WorkFailure, final, when somebody did */
async function demandMaking(db: Db, copy: NamelessCopyRow): Promise<void> {
  if (!(await isStillMaking(db, copy.uuid))) throw refuse('NOT_READY', 'The exam was taken back')
}

/** Deletes half of a copy; of an exam that is taken back its place cannot show it again either. */
async function removeHalf(tx: Tx, copy: NamelessCopyRow): Promise<void> {
  await lockSharing(tx, copy.copy_study_uid)
  const half = await findRecordByUid(tx, copy.phi_namespace, copy.copy_study_uid)
  await putHiddenIntoBin(tx, copy.copy_study_uid)
  if (!half) return
  const retraction = await findInForce(tx, [copy.study_uuid, ...copy.copied_from])
  if (retraction) await hideHalf(tx, retraction, half)
  else await deleteRecord(tx, undefined, half, copy.user_uuid)
}

/** The study with the rights of this moment, as it was when it was described. @throws WorkFailure, final */
async function openSource(services: Services, copy: NamelessCopyRow): Promise<NamelessSource> {
  const record = await findRecordByUuid(services.db, copy.study_uuid)
  if (!record || record.deleted) throw refuse('NOT_FOUND', 'The exam is no longer there')
  const membership = await findMembershipOf(services.db, copy.user_uuid, record.phi_namespace, services.log)
  if (!membership || !mayDo('findStudy', membership) || !mayDo('makeNameless', membership))
    throw refuse('NOT_PERMITTED', 'The person who asked for it may not give the exam away any more')
  const source = await openNamelessSource(services, record, copy.recipient)
  if (!source) throw refuse('NOT_READY', 'The exam cannot leave as it is now')
  if (source.digest !== copy.digest)
    throw refuse('STALE', 'The exam has changed since somebody looked at what leaves. Look again')
  return source
}

async function storeImages(
  services: Services,
  copy: NamelessCopyRow,
  source: NamelessSource,
  signal: AbortSignal,
): Promise<{ images: number; left_out: number }> {
  const arrival: ImageArrival = {
    namespaceUuid: copy.phi_namespace,
    accountUuid: copy.account_uuid,
    source: 'upload',
    actor: copy.user_uuid,
    quietSeconds: UPLOAD_QUIET_SECONDS,
    expectedStudyUid: copy.copy_study_uid,
  }
  const chosen = { dates: copy.dates, texts: copy.texts, isPixelsSeen: copy.pixels_seen }
  const counts = { images: 0, left_out: 0 }
  for (const instance of source.images) {
    signal.throwIfAborted()
    // before each: an image that is stored after the study was taken back is seen until the work ends
    await demandMaking(services.db, copy)
    const image = await namelessImage(services.store, source, instance, chosen)
    if (image.kind === 'leftOut') counts.left_out += 1
    else if (image.mayHoldText && !copy.pixels_seen)
      throw refuse('NOT_READY', 'Pictures of the exam may hold text, and nobody has said that they hold none')
    else counts[(await isStored(services, arrival, image.body())) ? 'images' : 'left_out'] += 1
    if ((counts.images + counts.left_out) % NOTE_EVERY === 0) await noteCopy(services.db, copy.uuid, counts)
  }
  return counts
}

/** False for an image whose frames nobody can look through: nothing of it is stored then. */
async function isStored(services: Services, arrival: ImageArrival, body: AsyncIterable<Uint8Array>): Promise<boolean> {
  try {
    await receiveImage(services, arrival, body)
    return true
  } catch (error) {
    const isOfFrames =
      error instanceof DicomReadError || (error instanceof Error && error.cause instanceof DicomReadError)
    if (isOfFrames) return false
    throw error
  }
}

function auditedRecord({ account_uuid, study_uuid, phi_namespace }: NamelessCopyRow) {
  return { account_uuid, uuid: study_uuid, phi_namespace }
}
