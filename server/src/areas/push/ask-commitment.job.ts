import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import type { ReferencedImage } from '@hilum/dicom/dimse/commitment'
import { formatStatus, Status } from '@hilum/dicom/dimse/status'
import { newUid } from '@hilum/dicom/uid'
import { findRecordByUuid } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { askPeerToCommit } from '../../outbound/pacs/ask-commitment.ts'
import { isPassingError } from '../../outbound/pacs/send-instances.ts'
import type { Services } from '../../services.ts'
import { findOpenDestination } from '../destination/destination.sql.ts'
import { peerOf } from '../destination/peer-of-destination.ts'
import type { JobActs } from '../job.ts'
import { declaredJobs, type PayloadOf } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { WorkFailure } from '../job/work-failure.ts'
import { listImages } from '../storage/record-images.sql.ts'
import { insertCommitment, isCommitmentAnswered, listCommitments, markCommitmentAsked } from './commitment.sql.ts'
import { notAskedWords } from './commitment-words.ts'
import { findPush, type PushRow } from './push.sql.ts'
import { settleCommitment, takeReport, tellOfCommitment } from './take-report.command.ts'

/** Images of one question: some peers take no more, and one that fails says so of these alone. */
const MAX_IMAGES = 1_000
/** A report may wait for the night's migration to another store; after that the silence is told, and a late one still taken. */
const REPORT_MS = 24 * 3_600_000

/** Has a push that the peer took in full ask for its commitment, as a part of the transaction that ends the push. */
export async function enterCommitment(tx: Tx, push: PushRow): Promise<void> {
  await enqueue(
    tx,
    declaredJobs.askCommitment,
    { pushUuid: push.uuid },
    {
      key: push.uuid,
      group: `commitment:${push.destination_uuid}`,
      about: { accountUuid: push.account_uuid, studyUuid: push.study_uuid },
    },
  )
}

/** Asks a destination to commit itself to the images that it took (PS3.4 J). What it reports is taken wherever it comes. */
export const askCommitmentActs: JobActs<PayloadOf<'askCommitment'>> = {
  run: async (services, { pushUuid }, { signal }) => {
    const { db } = services
    const push = await findPush(db, pushUuid)
    if (!push || push.status !== 'S') return
    await db.transaction().execute((tx) => makeQuestions(tx, push))
    const destination = await findOpenDestination(db, push.destination_uuid, push.phi_namespace)
    if (!destination?.can_commit) throw refuse('it is no longer asked')
    const peer = await peerOf(services, destination)
    for (const question of await listCommitments(db, push)) {
      if (question.is_asked) continue
      const { transaction_uid: transactionUid, images } = question
      const answer = await askPeerToCommit(
        peer,
        { transactionUid, images },
        {
          signal,
          onReport: (message) => takeReport(services, message, destination.node_aetitle, undefined),
          isAnswered: () => isCommitmentAnswered(db, transactionUid),
        },
      ).catch((error: unknown) => {
        if (signal.aborted || !(error instanceof DimseError)) throw error
        // a report may have come before the association broke
        return error
      })
      if (answer instanceof DimseError) {
        if (await isCommitmentAnswered(db, transactionUid)) continue
        throw refuse(answer.message, isPassingError(answer))
      }
      if (answer.status !== Status.Success) {
        throw refuse(`it answered ${formatStatus(answer.status)}`, answer.status === Status.ProcessingFailure)
      }
      await markCommitmentAsked(db, transactionUid)
    }
    await awaitReports(services, push)
  },
  giveUp: async (tx, { pushUuid }, _work, { message }) => {
    const push = await findPush(tx, pushUuid)
    if (push) await tellOfCommitment(tx, push, { commitment: 'refused', message: notAskedWords(message) })
    return undefined
  },
}

/** The silence of a destination is told once the time for its report is over. */
export const endCommitmentActs: JobActs<PayloadOf<'endCommitment'>> = {
  run: async (services, { pushUuid }) => {
    const push = await findPush(services.db, pushUuid)
    if (!push) return
    await services.db.transaction().execute((tx) => settleCommitment(tx, push, 'unanswered'))
    services.events.ring()
  },
}

async function makeQuestions(tx: Tx, push: PushRow): Promise<void> {
  if ((await listCommitments(tx, push)).length > 0) return
  const record = await findRecordByUuid(tx, push.study_uuid)
  const sent = new Set(push.sent)
  const images: ReferencedImage[] = record
    ? (await listImages(tx, record))
        .filter((one) => sent.has(one.version))
        .map((one) => ({ sopClass: one.sop_class, sopInstance: one.sop_uid }))
    : []
  for (let first = 0; first < images.length; first += MAX_IMAGES) {
    const part = images.slice(first, first + MAX_IMAGES)
    await insertCommitment(tx, push, { transactionUid: newUid(), images: part })
  }
  await settleCommitment(tx, push)
}

async function awaitReports({ db }: Services, push: PushRow): Promise<void> {
  const questions = await listCommitments(db, push)
  if (questions.every((one) => one.waiting.length === 0)) return
  await enqueue(
    db,
    declaredJobs.endCommitment,
    { pushUuid: push.uuid },
    { key: push.uuid, runAt: new Date(Date.now() + REPORT_MS) },
  )
}

function refuse(words: string, mayPass = false): WorkFailure {
  return new WorkFailure('NOT_COMMITTED', words, { isFinal: !mayPass })
}
