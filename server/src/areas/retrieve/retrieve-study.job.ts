import { randomInt } from 'node:crypto'
import { mayDo } from '@hilum/contract/acts'
import type { Message } from '@hilum/dicom/dimse/association'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import type { RetrieveCounts } from '@hilum/dicom/dimse/query'
import { Status } from '@hilum/dicom/dimse/status'
import { findMembershipOf } from '../../access/find-caller.ts'
import { type Retrieved, retrieveFromPeer } from '../../outbound/pacs/retrieve-study.ts'
import { isPassingError } from '../../outbound/pacs/send-instances.ts'
import { findRecordByUid } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { type DestinationRow, findOpenDestination } from '../destination/destination.sql.ts'
import { peerOf } from '../destination/peer-of-destination.ts'
import type { JobActs } from '../job.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { noteEvery } from '../job/note-every.ts'
import { WorkFailure } from '../job/work-failure.ts'
import { receiveObject } from '../node/receive-object.command.ts'
import { recordReception } from '../node/record-reception.command.ts'
import { studyOrPlace, tellEvent } from '../telling/tell-event.command.ts'
import { listIdentitiesOfRecord } from '../altered/outgoing-record.sql.ts'
import { isOtherPatient } from '../storage/other-patient.ts'
import { listPatientsAsked, listStudiesHere } from './search.sql.ts'
import {
  beginRetrieval,
  endRetrieval,
  findRetrieval,
  hasBrought,
  holdAsMixed,
  listAskers,
  noteProgress,
  type RetrievalRow,
  waitAnew,
  withdrawAsker,
} from './retrieval.sql.ts'

const NOTE_MS = 1_000

/** Code of a failure whose words stand with the retrieval. */
const peerFailed = 'RETRIEVE_FAILED'

/**
 * Fetches a study into the place that it was searched for. Arriving images are stored as those from any other sender.
 */
export const retrieveStudyActs: JobActs<PayloadOf<'retrieveStudy'>> = {
  run: async (services, { retrievalUuid }, { signal }) => {
    const { db } = services
    const retrieval = await findRetrieval(db, retrievalUuid)
    if (!retrieval) return
    const askedAt = performance.now()
    const askers = await listAskers(db, retrieval.uuid)
    const destination = await openRetrieval(services, retrieval)
    const messageId = randomInt(1, 0xffff)
    if (!(await beginRetrieval(db, retrieval.uuid, messageId))) return
    const watch = watchRights(services, retrieval, { askers, askedAt })
    const isOver = AbortSignal.any([signal, watch.ended])
    const end = await fetchStudy(services, retrieval, destination, { messageId, signal: isOver })
      .finally(watch.endWatch)
      .catch(async (error: unknown) => {
        const refusal = watch.refusal()
        if (refusal) throw refusal
        if (!(error instanceof DimseError)) throw error
        // the peer's own words stay with the retrieval: a log must not hold them
        const isFinal = !isPassingError(error)
        await waitAnew(db, retrieval.uuid, error.message)
        throw new WorkFailure(peerFailed, 'The destination did not send the exam', { isFinal, cause: error })
      })
    const { kind, reason } = await compareWithHere(services, retrieval, end)
    const outcome = await db.transaction().execute(async (tx) => {
      const isOther = await holdOtherPatient(tx, retrieval)
      const outcome = isOther ? 'partial' : kind
      await endRetrieval(tx, retrieval.uuid, outcome, isOther ? [otherPatientWords, reason].join(' ').trim() : reason)
      await tellFetched(tx, retrieval, outcome)
      return outcome
    })
    await audit(services, retrieval, destination, outcome)
  },
  giveUp: async (tx, { retrievalUuid }, _work, { error, message }) => {
    const retrieval = await findRetrieval(tx, retrievalUuid)
    const kind = (await hasBrought(tx, retrievalUuid)) ? 'partial' : 'failed'
    await endRetrieval(tx, retrievalUuid, kind, error === peerFailed ? (retrieval?.message ?? '') : message)
    if (retrieval) await tellFetched(tx, retrieval, 'failed')
    return undefined
  },
  withdraw: (tx, { retrievalUuid }, userUuid) => withdrawAsker(tx, retrievalUuid, userUuid),
}

/** Tells webhooks that a retrieval ended: of its study where that is shown here, else of its place. */
async function tellFetched(tx: Tx, retrieval: RetrievalRow, kind: Retrieved['kind']): Promise<void> {
  const { account_uuid, phi_namespace, study_uid } = retrieval
  const event = kind === 'done' ? 'DESTINATION_FETCH_SUCCESS' : 'DESTINATION_FETCH_FAIL'
  const record = await findRecordByUid(tx, phi_namespace, study_uid)
  await tellEvent(tx, event, [record ? studyOrPlace(record) : { account_uuid, phi_namespace }])
}

/** Whether one of the people who asked for a retrieval may retrieve exams of its place now. */
async function mayAnyAsker({ db, log }: Services, { uuid, phi_namespace }: RetrievalRow): Promise<boolean> {
  for (const userUuid of await listAskers(db, uuid)) {
    const membership = await findMembershipOf(db, userUuid, phi_namespace, log)
    if (membership && mayDo('retrieveStudy', membership)) return true
  }
  return false
}

/** @throws WorkFailure, final, with the reason */
async function openRetrieval(services: Services, retrieval: RetrievalRow): Promise<DestinationRow> {
  const { db } = services
  if (!(await mayAnyAsker(services, retrieval))) {
    throw new WorkFailure('NOT_PERMITTED', 'The person who asked for it may not retrieve exams any more', {
      isFinal: true,
    })
  }
  const destination = await findOpenDestination(db, retrieval.destination_uuid, retrieval.phi_namespace)
  if (destination?.can_query_retrieve) return destination
  throw new WorkFailure('NOT_SUPPORTED', 'The destination is no longer there for this group', { isFinal: true })
}

/**
 * Ends the fetching when none of those who asked for it may fetch any more, or the destination is closed to the place. What
 * came before stays.
 */
function watchRights(
  services: Services,
  retrieval: RetrievalRow,
  { askers, askedAt }: { askers: readonly string[]; askedAt: number },
): { ended: AbortSignal; refusal: () => WorkFailure | undefined; endWatch: () => void } {
  const ended = new AbortController()
  let refusal: WorkFailure | undefined
  const stillMay = () =>
    openRetrieval(services, retrieval).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof WorkFailure)) throw error
        refusal = error
        return false
      },
    )
  // rights of a person who asks later are looked at by the clock
  const ends = askers.map((userUuid) =>
    services.access.open({ userUuid, askedAt, stillMay, close: () => ended.abort() }),
  )
  const endWatch = () => {
    for (const end of ends) end()
  }
  return { ended: ended.signal, refusal: () => refusal, endWatch }
}

async function fetchStudy(
  services: Services,
  retrieval: RetrievalRow,
  destination: DestinationRow,
  { messageId, signal }: { messageId: number; signal: AbortSignal },
): Promise<Retrieved> {
  let latest: RetrieveCounts = { remaining: undefined, completed: undefined, failed: undefined, warning: undefined }
  const notes = noteEvery(
    NOTE_MS,
    () => note(services, retrieval, latest),
    (error) => services.log.error({ event: 'retrieval not noted', retrieval: retrieval.uuid, err: error }),
  )
  try {
    const end = await retrieveFromPeer(await peerOf(services, destination), {
      studyUid: retrieval.study_uid,
      method: destination.retrieve_method,
      ownTitle: destination.node_aetitle,
      messageId,
      signal,
      onProgress: (counts) => {
        latest = counts
      },
      onObject: storeObject(services, retrieval, destination),
    })
    latest = end.counts
    return end
  } finally {
    await notes.stop()
  }
}

async function note(services: Services, { uuid }: RetrievalRow, counts: RetrieveCounts): Promise<void> {
  const { completed = 0, failed = 0, warning = 0, remaining } = counts
  const came = completed + warning
  const total = came + failed + (remaining ?? 0)
  await noteProgress(services.db, uuid, { completed: came, failed, total: total > 0 ? total : undefined })
}

/**
 * How a retrieval ended. A peer whose table has our title at another address sends the images there and says that all
 * went: fewer images of the exam here than it says that it sent are told.
 */
async function compareWithHere(
  { db }: Services,
  retrieval: RetrievalRow,
  end: Retrieved,
): Promise<Pick<Retrieved, 'kind' | 'reason'>> {
  if (end.method === 'get' || end.kind !== 'done') return end
  const sent = (end.counts.completed ?? 0) + (end.counts.warning ?? 0)
  const [study] = await listStudiesHere(db, retrieval.phi_namespace, [retrieval.study_uid], true)
  const here = study?.image_count ?? 0
  if (here > 0 && here >= sent) return end
  const reason = `The peer says that it sent all images (${sent}); ${here} are here. Does its table have our address for this AE title?`
  return { kind: here > 0 ? 'partial' : 'failed', reason }
}

const otherPatientWords =
  'The images that came name another patient than the one that the destination listed for this exam. It is held as an exam of several patients: nothing leaves until somebody has looked whose it is.'

/**
 * Holds an exam whose images name another patient than the one whom its destination listed when it was asked for, as one of
 * several patients is held, until somebody says whose it is.
 */
async function holdOtherPatient(tx: Tx, retrieval: RetrievalRow): Promise<boolean> {
  const record = await findRecordByUid(tx, retrieval.phi_namespace, retrieval.study_uid)
  if (!record) return false
  const listed = await listPatientsAsked(tx, retrieval.uuid)
  const ofImages = await listIdentitiesOfRecord(tx, record.phi_namespace, record.uuid)
  if (!ofImages.some((one) => listed.some((asked) => isOtherPatient(asked, one)))) return false
  await holdAsMixed(tx, record)
  return true
}

/** Takes the objects of a C-GET. An object of another study than the one that was asked for is refused. */
function storeObject(services: Services, retrieval: RetrievalRow, destination: DestinationRow) {
  const place = { namespaceUuid: retrieval.phi_namespace, accountUuid: retrieval.account_uuid, allowedPeers: null }
  let isOnRecord = false
  return async ({ context, command, data }: Message): Promise<{ status: number; comment?: string }> => {
    const received = await receiveObject(services, place, destination.aetitle, {
      sopClass: command.affectedSopClass ?? '',
      sopInstance: command.affectedSopInstance ?? '',
      transferSyntax: context.transferSyntax,
      studyUid: retrieval.study_uid,
      data: data ?? nothing(),
    })
    if (received.kind === 'failed') return { status: received.status, comment: received.reason }
    if (!isOnRecord) {
      const sender = {
        callingTitle: destination.aetitle,
        calledTitle: destination.node_aetitle,
        address: destination.address,
        associationUuid: retrieval.uuid,
      }
      await recordReception(services, place, sender, retrieval.study_uid)
      isOnRecord = true
    }
    return { status: Status.Success }
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function audit(
  { db }: Services,
  retrieval: RetrievalRow,
  destination: DestinationRow,
  outcome: Retrieved['kind'],
): Promise<void> {
  await writeAudit(db, {
    accountUuid: retrieval.account_uuid,
    caller: undefined,
    action: 'STUDY_RETRIEVED',
    type: 'Destination',
    objectUuid: destination.uuid,
    phiNamespace: retrieval.phi_namespace,
    detail: { study_uid: retrieval.study_uid, retrieval: retrieval.uuid, outcome },
  })
}
