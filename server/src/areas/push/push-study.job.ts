import { factsOf, mayDo } from '@hilum/contract/acts'
import { findMembershipOf } from '../../access/find-caller.ts'
import { mayStillBeSent } from '../../access/study-access.ts'
import { findRecordByUuid, type StudyRecord } from '../../access/study-record.sql.ts'
import { MustNotSendError, type SendOutcome } from '../../outbound/pacs/outgoing-instance.ts'
import { isForbidden, sendInstances } from '../../outbound/pacs/send-instances.ts'
import type { Services } from '../../services.ts'
import type { Tx } from '../../db/database.ts'
import type { OutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { correctionOf } from '../altered/record-edits.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import type { DestinationRow } from '../destination/destination.sql.ts'
import { peerOf } from '../destination/peer-of-destination.ts'
import { writeEvent } from '../event/event.sql.ts'
import type { JobActs } from '../job.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { noteEvery } from '../job/note-every.ts'
import { WorkFailure } from '../job/work-failure.ts'
import { isGatekeeperGroup } from '../nomination/gatekeeper-group.sql.ts'
import { tellOfPush } from '../nomination/tell-nomination.command.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { listImages } from '../storage/record-images.sql.ts'
import { enterCommitment } from './ask-commitment.job.ts'
import {
  askDestinationAbout,
  demandUnchangedPatient,
  type ExamToSend,
  HeldBackError,
  type Departure,
  type Obstacle,
  readExamToSend,
} from './exam-to-send.command.ts'
import { mayBeginPush } from './begin-departure.command.ts'
import { findDepartures, notePushDeparture } from '../altered/departure.sql.ts'
import { findPushable } from './find-pushable.ts'
import { outgoingOf } from './outgoing.ts'
import { isLetThrough } from './lack-of-nomination.ts'
import { describeObstacle } from './obstacle-words.ts'
import {
  describeOutcomes,
  imagesCameWords,
  patientChangedWords,
  reasonOfOtherWords,
  rightEndedWords,
  uncheckedWords,
  unforeseenWords,
} from './push-words.ts'
import {
  findAsker,
  findContent,
  findPush,
  noteOutgoing,
  notePush,
  pinContent,
  pinPatient,
  type PushRow,
} from './push.sql.ts'
import { sentAsOf } from '../altered/sent-as.ts'

/** Code of a failure whose words stand with the push. */
const peerFailed = 'PUSH_FAILED'
/** How often the images that were taken are noted while a study is sent. */
const NOTE_MS = 2_000

/**
 * Sends a study to a destination. Images that the peer has acknowledged are not sent again by the next try; what the peer
 * refused for good ends the push as failed, with the peer's own answer.
 */
export const pushStudyActs: JobActs<PayloadOf<'pushStudy'>> = {
  run: async (services, { pushUuid }, { signal }) => {
    const push = await findPush(services.db, pushUuid)
    if (!push || push.status === 'S') return
    try {
      await sendStudy(services, push, signal)
    } catch (error) {
      if (error instanceof HeldBackError) throw await holdBack(services, push, error.obstacle)
      if (!(error instanceof WorkFailure) && !signal.aborted) await noteUnforeseen(services, push)
      throw error
    }
  },
  giveUp: async (tx, { pushUuid }, _work, { error, message }) => {
    const push = await findPush(tx, pushUuid)
    if (!push || push.status === 'S') return undefined
    await notePush(tx, push.uuid, { status: 'F', ...(error === peerFailed ? {} : { message }) })
    await tellOfPush(tx, push)
    await writeEvent(tx, 'study', push.phi_namespace, push.study_uuid)
    const asked_by = await findAsker(tx, push)
    const images = push.sent.length - push.sent_before
    const { destination_name: destination, may_have_left } = push
    const detail = { destination, push: push.uuid, images, may_have_left, message, asked_by }
    await writeStudyAudit(tx, undefined, auditedRecord(push), 'PUSH_FAIL', detail)
    await tellOfEnd(tx, push)
    return undefined
  },
}

/** Sends for as long as the rights last that the push began with. */
async function sendStudy(services: Services, push: PushRow, isOver: AbortSignal): Promise<void> {
  const askedAt = performance.now()
  const opened = await openPush(services, push)
  const ended = new AbortController()
  const endWatch = services.access.open({
    userUuid: push.user_uuid ?? '',
    askedAt,
    stillMay: () => isStillAllowed(services, push, opened.record),
    close: () => ended.abort(new MustNotSendError(rightEndedWords)),
  })
  try {
    await sendOpened(services, push, opened, AbortSignal.any([isOver, ended.signal]))
  } finally {
    endWatch()
  }
}

async function sendOpened(services: Services, push: PushRow, opened: OpenedPush, signal: AbortSignal): Promise<void> {
  const { destination } = opened
  await note(services, push, { status: 'I', total: opened.images.length })
  const before = await findDepartures(services.db, opened.record, destination.uuid)
  const formerAs = before.former?.sentAs ?? null
  const unasked = await askDestinationAbout(services, opened, departureOf(push, destination, formerAs, signal))
  const { images, outgoing } = await demandUnchanged(services, push, opened)
  const departing = { record: opened.record, destinationUuid: destination.uuid, sentAs: sentAsOf(outgoing), before }
  if (!(await mayBeginPush(services.db, departing))) throw new HeldBackError({ kind: 'departing' })
  const correction = correctionOf({ ...outgoing, mixed_patients: false })
  const taken = new Set(push.sent)
  const rest = images.filter((one) => !taken.has(one.version))
  const outcomes = await send(services, push, destination, {
    signal,
    instances: rest.map((one) => outgoingOf(services, one, async () => correction, signal)),
  })
  const failed = outcomes.filter((one) => one.kind === 'failed')
  const message = [describeOutcomes(outcomes, images.length), unasked && uncheckedWords[unasked.about](unasked.words)]
    .filter(Boolean)
    .join(' ')
  if (failed.length > 0) {
    // where a right ended, the next try sends what is left of the exam, or says why nothing is
    const isFinal = !isForbidden(signal) && !failed.some((one) => one.mayPass)
    await note(services, push, { status: failed.length < images.length ? 'P' : 'N', message })
    // the peer's own words stay with the study: a log must not hold them
    throw new WorkFailure(peerFailed, `${failed.length} of ${images.length} images were not sent`, { isFinal })
  }
  await services.db.transaction().execute(async (tx) => {
    await notePush(tx, push.uuid, { status: 'S', message })
    if (destination.can_commit) await enterCommitment(tx, push)
    await tellOfPush(tx, push)
    await writeEvent(tx, 'study', push.phi_namespace, push.study_uuid)
    const asked_by = await findAsker(tx, push)
    const detail = { destination: push.destination_name, push: push.uuid, images: images.length, message, asked_by }
    await writeStudyAudit(tx, undefined, auditedRecord(push), 'PUSH_SUCCESS', detail)
    await tellOfEnd(tx, push)
  })
  services.events.ring()
}

/** A fault of our own is in the log; whoever looks at the study meanwhile must not read that it is being sent. */
async function noteUnforeseen(services: Services, push: PushRow): Promise<void> {
  try {
    const now = await findPush(services.db, push.uuid)
    await note(services, push, { status: now && now.sent.length > 0 ? 'P' : 'N', message: unforeseenWords })
  } catch (error) {
    services.log.error({ event: 'push not noted', push: push.uuid, err: error })
  }
}

type Allowed = { record: StudyRecord; destination: DestinationRow }
type OpenedPush = Allowed & ExamToSend

const refuse = (code: string, words: string) => new WorkFailure(code, words, { isFinal: true })

function departureOf(
  { sent, answered }: PushRow,
  destination: DestinationRow,
  formerAs: Buffer | null,
  signal: AbortSignal,
): Departure {
  return {
    destination,
    sent,
    formerAs,
    answered,
    goesUnasked: destination.push_unchecked,
    signal,
    ask: (_about, look) => look(),
  }
}

/**
 * The study and the destination of a push, as they are to be sent at this moment.
 * @throws WorkFailure, final, with the reason; HeldBackError
 */
async function openPush(services: Services, push: PushRow): Promise<OpenedPush> {
  const { record, destination } = await demandRights(services, push)
  const departure = { destination, sent: push.sent, answered: push.answered }
  const list = () => listImages(services.db, record)
  const exam = await readExamToSend(services, record, departure, list, async (tx, { content, outgoing }, isByTwo) => {
    if (isByTwo || (await isConfirmedByOne(tx, push))) await demandConfirmedContent(tx, push)
    await pinContent(tx, push.uuid, content)
    await demandOnePatient(tx, push, outgoing)
  })
  return { ...exam, record, destination }
}

/** The exam once more behind the question at its destination, which may take a minute: with the images of now, for this patient alone. */
async function demandUnchanged(services: Services, push: PushRow, before: OpenedPush): Promise<OpenedPush> {
  const now = await openPush(services, push)
  demandUnchangedPatient(before, now)
  return now
}

/** Whether a person of a gatekeeper group asked for the push, who saw the images of that moment. */
async function isConfirmedByOne(tx: Tx, { phi_namespace, user_uuid }: PushRow): Promise<boolean> {
  return user_uuid !== null && (await isGatekeeperGroup(tx, phi_namespace))
}

/** The images that were there were confirmed; asked once the images are listed, so that none came in between. */
async function demandConfirmedContent(tx: Tx, push: PushRow): Promise<void> {
  if (push.content === null) return
  const now = await findContent(tx, push.phi_namespace, push.study_uuid)
  if (now !== push.content) throw refuse('CONFLICT', imagesCameWords)
}

/** All images of a push leave under one patient and accession number, those of its late images too. */
async function demandOnePatient(tx: Tx, push: PushRow, outgoing: OutgoingRecord): Promise<void> {
  const sentAs = sentAsOf(outgoing)
  const isOther = push.sent_as !== null && !push.sent_as.equals(sentAs)
  // a reason holds for the patient about whom it was given
  if (push.sent.length === 0 && push.mrn_reason !== '' && isOther) throw refuse('CONFLICT', reasonOfOtherWords)
  if (push.sent.length === 0) return pinPatient(tx, push.uuid, sentAs)
  if (isOther) throw refuse('CONFLICT', patientChangedWords)
}

/** Whether a push may go on with the images of `record` that it began with. */
async function isStillAllowed(services: Services, push: PushRow, record: StudyRecord): Promise<boolean> {
  try {
    await demandRights(services, push)
  } catch (error) {
    if (error instanceof WorkFailure) return false
    throw error
  }
  return (await mayStillBeSent(services.db, [record])) && (await isLetThrough(services.db, [record]))
}

/**
 * The study and the destination of a push, with the rights of this moment.
 * @throws WorkFailure, final, with the reason
 */
async function demandRights({ db, log }: Services, push: PushRow): Promise<Allowed> {
  const record = await findRecordByUuid(db, push.study_uuid)
  if (!record || record.deleted || record.sources.length === 0) throw refuse('NOT_FOUND', 'The exam is no longer there')
  if (push.user_uuid) {
    const membership = await findMembershipOf(db, push.user_uuid, record.phi_namespace, log)
    const facts = factsOf({ awaitsApproval: record.must_approve })
    const isAllowed =
      membership && mayDo('findStudy', { ...membership, facts }) && mayDo('pushStudy', { ...membership, facts })
    if (!isAllowed) throw refuse('NOT_PERMITTED', 'The person who asked for it may not send the exam any more')
  }
  const destination = await findPushable(db, push.destination_uuid, record.phi_namespace)
  if (!destination?.can_push) throw refuse('NOT_SUPPORTED', 'The destination is no longer there for this group')
  return { record, destination }
}

/** Says with the push why its exam does not leave, and whether a person's reason would send it. */
async function holdBack(services: Services, push: PushRow, obstacle: Obstacle): Promise<WorkFailure> {
  const { code, words } = describeObstacle(obstacle)
  if (code !== undefined) return refuse(code, words)
  await note(services, push, { status: push.sent.length > 0 ? 'P' : 'N', message: words, ...askedBy(obstacle) })
  // the words stay with the study: a log must not hold them
  const isPassing = obstacle.kind === 'departing' || (obstacle.kind === 'notChecked' && obstacle.mayPass)
  return new WorkFailure(peerFailed, `The exam was not sent: ${obstacle.kind}`, { isFinal: !isPassing })
}

/** The questions of an obstacle, where the reason of a person answers these. */
function askedBy(obstacle: Obstacle): { asked?: readonly string[] } {
  return 'asked' in obstacle ? { asked: obstacle.asked } : {}
}

async function send(
  services: Services,
  push: PushRow,
  destination: DestinationRow,
  { instances, signal }: { instances: ReturnType<typeof outgoingOf>[]; signal: AbortSignal },
): Promise<SendOutcome[]> {
  const versions = new Map(instances.map((one) => [one.sopInstance, one.version]))
  let noted: Promise<void> | undefined
  let fresh: string[] = []
  const noteFresh = async () => {
    const taken = fresh
    fresh = []
    if (taken.length > 0) await note(services, push, { status: 'I', taken })
  }
  const notes = noteEvery(NOTE_MS, noteFresh, (error) =>
    services.log.error({ event: 'push not noted', push: push.uuid, err: error }),
  )
  try {
    return await sendInstances(await peerOf(services, destination), instances, {
      render: services.render,
      signal,
      parallel: destination.max_associations,
      // a note that failed is tried anew before the next image
      onOutgoing: () =>
        (noted ??= noteOutgoing(services.db, push.uuid).catch((error: unknown) => {
          noted = undefined
          throw error
        })),
      onProgress: ({ kind, instance }) => {
        const version = versions.get(instance.sopInstance)
        if (kind !== 'failed' && version) fresh.push(version)
      },
    })
  } finally {
    await notes.stop()
  }
}

async function note(services: Services, push: PushRow, to: Parameters<typeof notePush>[2]): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    await notePush(tx, push.uuid, to)
    if (to.taken) await notePushDeparture(tx, push.uuid)
    await tellOfPush(tx, push)
    await writeEvent(tx, 'study', push.phi_namespace, push.study_uuid)
  })
  services.events.ring()
}

async function tellOfEnd(tx: Tx, push: PushRow): Promise<void> {
  const record = await findRecordByUuid(tx, push.study_uuid)
  if (record) await tellEvent(tx, 'STUDY_PUSH_STATUS', [record])
}

function auditedRecord({ account_uuid, study_uuid, phi_namespace }: PushRow) {
  return { account_uuid, uuid: study_uuid, phi_namespace }
}
