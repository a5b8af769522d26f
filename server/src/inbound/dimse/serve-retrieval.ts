import { setTimeout as wait } from 'node:timers/promises'
import type { Association, Message } from '@hilum/dicom/dimse/association'
import { CommandField, responseTo } from '@hilum/dicom/dimse/command'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { identifierOf, readIdentifier } from '@hilum/dicom/dimse/identifier'
import { formatStatus, Status } from '@hilum/dicom/dimse/status'
import { mayStillBeSent } from '../../access/study-access.ts'
import { visibleToPeer } from '../../access/study-scope.ts'
import { findDestinationOfTitle } from '../../areas/destination/destination-of-title.ts'
import { isAddress } from '../../areas/destination/peer-address.ts'
import { peerOf } from '../../areas/destination/peer-of-destination.ts'
import { findPushable } from '../../areas/push/find-pushable.ts'
import { Departures } from '../../areas/push/begin-departure.command.ts'
import { type ClearExam, clearForMove } from '../../areas/push/clear-for-move.command.ts'
import { failedList } from '../../areas/query/answer-of.ts'
import { clearForAsker, type OpenedRetrieval, openRetrieval } from '../../areas/query/open-retrieval.command.ts'
import {
  type AskingPeer,
  type QueryService,
  recordQuery,
  recordRetrieval,
} from '../../areas/query/query-on-record.command.ts'
import { QueryError, readRetrieval } from '../../areas/query/read-query.ts'
import { MustNotSendError, type SendOutcome } from '../../outbound/pacs/outgoing-instance.ts'
import { isForbidden, sendInstances, sendOver } from '../../outbound/pacs/send-instances.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import { isLetThrough } from '../../areas/push/lack-of-nomination.ts'
import { rightEndedWords } from '../../areas/push/push-words.ts'
import { explainFailure, isCalledOff, rootOf } from './serve-query.ts'

/** Between two looks at how far the sending is. */
const lookMs = 200
/** A peer hears at least this often that the retrieval goes on. */
const tellMs = 5_000

/** How far a retrieval is, in images. */
class Progress {
  completed = 0
  warning = 0
  readonly failed: string[] = []
  /** Why the first image was not sent. */
  reason = ''
  readonly total: number

  constructor({ instances, refused }: OpenedRetrieval) {
    this.total = instances.length + refused.length
    for (const one of refused) this.fail(one.sopInstance, one.reason)
  }

  count({ kind, instance, reason }: SendOutcome): void {
    if (kind === 'stored') this.completed += 1
    else if (kind === 'warning') this.warning += 1
    else this.fail(instance.sopInstance, reason)
  }

  fail(sopInstance: string, reason: string): void {
    this.failed.push(sopInstance)
    this.reason ||= reason
  }

  get done(): number {
    return this.completed + this.warning + this.failed.length
  }

  /** As the numbers of a response; those of the images that are left only while there are some. */
  counts(hasRest: boolean) {
    const [completedOperations, failedOperations] = [this.completed, this.failed.length].map(limited)
    const rest = hasRest ? { remainingOperations: limited(this.total - this.done) } : {}
    return { ...rest, completedOperations, failedOperations, warningOperations: limited(this.warning) } as Record<
      string,
      number
    >
  }

  status(): number {
    if (this.failed.length === 0 && this.warning === 0) return Status.Success
    return this.completed + this.warning > 0 ? Status.NotAllSent : Status.NothingSent
  }
}

/** The numbers of a response have 16 bits. */
function limited(count: number): number {
  return Math.min(count, 0xffff)
}

type Sending = {
  association: Association
  departures: Departures
  message: Message
  peer: AskingPeer
  abort: AbortController
}
/** @returns whether the peer called it off */
type Send = (opened: OpenedRetrieval, progress: Progress) => Promise<boolean>
/** A way to send, whether that way is still open to all records of the request, and what is asked of each study before it goes that way. */
type Way = { send: Send; isOpen: (records: readonly StudyRecord[]) => Promise<boolean>; clear: ClearExam }
type End = { status: number; comment?: string; progress?: Progress }

/**
 * Sends what a peer that may query asks for: to a destination of the account that the place may use (C-MOVE), or over the
 * same association (C-GET). Every study is on record before its first image leaves, and so is the end.
 * @param departures of exams over the same association, which ends them with itself
 * Source: PS3.4 C.4.2, C.4.3.
 * @throws DimseError when the association ends meanwhile; nothing more is sent then
 */
export async function serveRetrieval(
  services: Services,
  association: Association,
  message: Message,
  peer: AskingPeer,
  departures: Departures,
): Promise<void> {
  const { context, command } = message
  const service: QueryService = command.field === CommandField.MoveRequest ? 'C-MOVE' : 'C-GET'
  const summary = { level: '', destination: service === 'C-MOVE' ? (command.moveDestination ?? '') : peer.callingTitle }
  const sending: Sending = { association, departures, message, peer, abort: new AbortController() }
  const forbid = () => sending.abort.abort(new MustNotSendError(rightEndedWords))
  peer.isOver.addEventListener('abort', forbid)
  const record = ({ status, comment, progress }: End) => {
    const numbers = progress
      ? { sent: progress.completed + progress.warning, failed: progress.total - progress.completed - progress.warning }
      : {}
    const reason = comment ? { reason: comment } : {}
    return recordQuery(services.db, peer, service, { ...summary, status: formatStatus(status), ...numbers, ...reason })
  }
  const identifier = await readIdentifier(message)
  let end: End
  try {
    const query = readRetrieval(rootOf(command.affectedSopClass ?? context.abstractSyntax), identifier)
    summary.level = query.level
    const askedAt = performance.now()
    const way = service === 'C-MOVE' ? await openMove(services, sending) : await overAssociation(services, sending)
    const { signal } = sending.abort
    const opened = await openRetrieval(services, visibleToPeer(peer.node), query, signal, way.clear)
    const records = opened.studies.map((one) => one.record)
    for (const { record: study, images } of opened.studies)
      await recordRetrieval(services.db, peer, service, study, { images, destination: summary.destination })
    const progress = new Progress(opened)
    const endWatch = services.access.open({
      userUuid: '',
      askedAt,
      stillMay: async () => (await mayStillBeSent(services.db, records)) && (await way.isOpen(records)),
      close: forbid,
    })
    const isCancelled = await way.send(opened, progress).finally(endWatch)
    end = { status: isCancelled ? Status.Cancelled : progress.status(), comment: progress.reason, progress }
  } catch (error) {
    sending.abort.abort()
    if (error instanceof DimseError) {
      await record({ status: Status.Cancelled, comment: error.message })
      throw error
    }
    end = explainFailure(services, error)
  } finally {
    peer.isOver.removeEventListener('abort', forbid)
  }
  await record(end)
  await sendEnd(sending, end)
}

async function sendEnd({ association, message: { context, command } }: Sending, end: End): Promise<void> {
  const { status, comment, progress } = end
  const words = comment ? { errorComment: comment } : {}
  const counts = progress?.counts(status === Status.Cancelled) ?? {}
  const failed = progress?.failed ?? []
  const list = failed.length > 0 ? identifierOf(failedList(failed), context) : undefined
  await association.send(context, { ...responseTo(command), status, ...words, ...counts }, list)
}

/** @throws QueryError when the destination is none that studies of the place may go to */
async function openMove(services: Services, { association, message, peer, abort }: Sending): Promise<Way> {
  const { context, command } = message
  const title = command.moveDestination ?? ''
  const { db, render } = services
  const isUnusable = title === '' || title.includes('\0')
  const asked = { title, namespaceUuid: peer.node.namespaceUuid, askingAddress: peer.address }
  const find = async () => {
    const named = await findDestinationOfTitle(db, asked, true)
    return named && findPushable(db, named.uuid, asked.namespaceUuid)
  }
  const found = isUnusable ? undefined : await find()
  if (!found)
    throw new QueryError(
      Status.MoveDestinationUnknown,
      'No destination of this place, or more than one, has the AE title',
    )
  const isAsking = title === peer.callingTitle && (await isAddress(found.address, peer.address))
  const destination = await peerOf(services, found)
  const departures = new Departures(services)
  const send: Send = async ({ instances }, progress) => {
    const sent = sendInstances(destination, instances, {
      render,
      signal: abort.signal,
      parallel: found.max_associations,
      originator: { moveOriginator: peer.callingTitle, moveOriginatorMessageId: command.messageId ?? 0 },
      onProgress: (outcome) => {
        // of what was called off nothing has failed: it is left
        const isLeft = abort.signal.aborted && !isForbidden(abort.signal)
        if (outcome.kind !== 'failed' || !isLeft) progress.count(outcome)
      },
    })
    const tell = teller(association, { context, command }, progress)
    try {
      for (;;) {
        const isOver = await Promise.race([sent.then(() => true), wait(lookMs, false)])
        if (isOver) return false
        if (await isCalledOff(association, command.messageId)) return true
        await tell()
      }
    } finally {
      abort.abort()
      await sent.finally(() => departures.end())
    }
  }
  return {
    send,
    isOpen: async (records) => (await find())?.uuid === found.uuid && (await isLetThrough(db, records)),
    clear: clearForMove(services, found, { isAsking, departures, signal: abort.signal }),
  }
}

async function overAssociation(services: Services, sending: Sending): Promise<Way> {
  const { association, departures, message, peer, abort } = sending
  const { context, command } = message
  const send: Send = async ({ instances }, progress) => {
    let isCancelled = false
    const onCancel = (messageId: number | undefined) => {
      isCancelled ||= messageId === command.messageId
    }
    const tell = teller(association, { context, command }, progress)
    for (const instance of instances) {
      if (await isCalledOff(association, command.messageId)) isCancelled = true
      if (isCancelled) break
      if (isForbidden(abort.signal)) {
        progress.fail(instance.sopInstance, rightEndedWords)
        continue
      }
      const options = { render: services.render, signal: abort.signal }
      const { outcome } = await sendOver(association, instance, options, onCancel)
      progress.count(outcome)
      if (!association.isOpen) {
        abort.abort()
        const words = isForbidden(abort.signal) ? rightEndedWords : 'The association ended inside a retrieval'
        throw new DimseError('lost', words)
      }
      await tell()
    }
    return isCancelled
  }
  const named = { title: peer.callingTitle, namespaceUuid: peer.node.namespaceUuid, askingAddress: peer.address }
  const asker = await findDestinationOfTitle(services.db, named, true)
  const clear = clearForAsker(services, asker && { destinationUuid: asker.uuid, departures })
  return { send, isOpen: () => Promise.resolve(true), clear }
}

/** Tells the peer how far the retrieval is, when that changed or was long ago; not oftener than the peer needs. */
function teller(
  association: Association,
  { context, command }: Pick<Message, 'context' | 'command'>,
  progress: Progress,
): () => Promise<void> {
  let [lastAt, lastDone] = [performance.now(), 0]
  return async () => {
    const now = performance.now()
    const isDue = now - lastAt >= (progress.done > lastDone ? lookMs : tellMs)
    if (!isDue || progress.done >= progress.total) return
    lastAt = now
    lastDone = progress.done
    await association.send(context, { ...responseTo(command), status: Status.Pending, ...progress.counts(true) })
  }
}
