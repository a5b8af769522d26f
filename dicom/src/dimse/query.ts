import type { Association, Context, Message } from './association.ts'
import { type Command, CommandField, isResponse } from './command.ts'
import { DimseError } from './dimse-error.ts'
import { identifierOf, readIdentifier } from './identifier.ts'
import { MEDIUM_PRIORITY, nextMessageId } from './services.ts'
import { kindOfStatus } from './status.ts'
import type { DataSet } from '../data-set.ts'
import { Tag } from '../tags.ts'
import type { WriteElement } from '../write-part10.ts'

/** Query/Retrieve by patient and by study (PS3.4 C.6.1, C.6.2) and Modality Worklist (PS3.4 K). */
export const QueryClass = {
  PatientFind: '1.2.840.10008.5.1.4.1.2.1.1',
  PatientMove: '1.2.840.10008.5.1.4.1.2.1.2',
  PatientGet: '1.2.840.10008.5.1.4.1.2.1.3',
  StudyFind: '1.2.840.10008.5.1.4.1.2.2.1',
  StudyMove: '1.2.840.10008.5.1.4.1.2.2.2',
  StudyGet: '1.2.840.10008.5.1.4.1.2.2.3',
  WorklistFind: '1.2.840.10008.5.1.4.31',
} as const

type FindEnd = { status: number; comment: string; isCut: boolean }

/**
 * Asks a peer for matches (PS3.7 §9.1.2). `onAnswer` is called for each; when it says `enough`, the request is cancelled.
 * An answer that cannot be read is passed over: one broken record must not hide the others.
 * @throws DimseError
 */
export async function find(
  association: Association,
  sopClass: string,
  keys: readonly WriteElement[],
  onAnswer: (answer: DataSet) => 'more' | 'enough',
): Promise<FindEnd> {
  const context = contextOf(association, sopClass, 'The peer does not take queries (C-FIND)')
  const messageId = nextMessageId()
  const command = { field: CommandField.FindRequest, messageId, affectedSopClass: sopClass, priority: MEDIUM_PRIORITY }
  await association.send(context, command, identifierOf(keys, context))
  let isCut = false
  for (;;) {
    const message = await nextResponse(association, messageId)
    const status = message.command.status ?? 0
    if (kindOfStatus(status) !== 'pending') {
      // a cancelled request ends with FE00, which is what was asked for
      return { status: isCut ? 0 : status, comment: message.command.errorComment ?? '', isCut }
    }
    const answer = await readIdentifier(message)
    if (!answer || isCut) continue
    if (onAnswer(answer) === 'enough') {
      isCut = true
      await association.send(context, { field: CommandField.CancelRequest, respondsTo: messageId })
    }
  }
}

/** How far a retrieval is, as the peer tells; undefined where the peer tells nothing. */
export type RetrieveCounts = {
  remaining: number | undefined
  completed: number | undefined
  failed: number | undefined
  warning: number | undefined
}
export type RetrieveEnd = RetrieveCounts & { status: number; comment: string }

/**
 * Has a peer send a study to an AE title that the peer knows (C-MOVE, PS3.7 §9.1.4).
 * @param messageId comes back with each object, as Move Originator Message ID
 * @throws DimseError
 */
export async function moveStudy(
  association: Association,
  { studyUid, destination, messageId }: { studyUid: string; destination: string; messageId: number },
  onProgress: (counts: RetrieveCounts) => void,
): Promise<RetrieveEnd> {
  const context = contextOf(association, QueryClass.StudyMove, 'The peer does not take retrievals (C-MOVE)')
  const command = {
    field: CommandField.MoveRequest,
    messageId,
    affectedSopClass: QueryClass.StudyMove,
    moveDestination: destination,
    priority: MEDIUM_PRIORITY,
  }
  await association.send(context, command, identifierOf(studyKeys(studyUid), context))
  for (;;) {
    const message = await nextResponse(association, messageId)
    const counts = countsOf(message.command)
    const status = message.command.status ?? 0
    if (kindOfStatus(status) !== 'pending') return { ...counts, status, comment: message.command.errorComment ?? '' }
    onProgress(counts)
  }
}

/**
 * Has a peer send a study over the association that asks for it (C-GET, PS3.7 §9.1.3). `onObject` answers each object;
 * its data set is read as it comes.
 * @throws DimseError, and what `onObject` throws
 */
export async function getStudy(
  association: Association,
  studyUid: string,
  onObject: (message: Message) => Promise<void>,
  onProgress: (counts: RetrieveCounts) => void,
): Promise<RetrieveEnd> {
  const context = contextOf(association, QueryClass.StudyGet, 'The peer does not take retrievals (C-GET)')
  const messageId = nextMessageId()
  const command = {
    field: CommandField.GetRequest,
    messageId,
    affectedSopClass: QueryClass.StudyGet,
    priority: MEDIUM_PRIORITY,
  }
  await association.send(context, command, identifierOf(studyKeys(studyUid), context))
  for (;;) {
    const message = await nextMessage(association)
    if (message.command.field === CommandField.StoreRequest) {
      await onObject(message)
      continue
    }
    assertAnswers(association, message, messageId)
    const counts = countsOf(message.command)
    const status = message.command.status ?? 0
    if (kindOfStatus(status) !== 'pending') return { ...counts, status, comment: message.command.errorComment ?? '' }
    onProgress(counts)
  }
}

/** Whether the peer agreed to a class. */
export function isAgreed(association: Association, sopClass: string): boolean {
  return [...association.contexts.values()].some((one) => one.abstractSyntax === sopClass)
}

function studyKeys(studyUid: string): WriteElement[] {
  return [
    { tag: Tag.QueryRetrieveLevel, vr: 'CS', value: 'STUDY' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
  ]
}

/** The context in which a peer took a class. @throws DimseError not-accepted with the words of `refusal` */
export function contextOf(association: Association, sopClass: string, refusal: string): Context {
  const context = [...association.contexts.values()].find((one) => one.abstractSyntax === sopClass)
  if (!context) throw new DimseError('not-accepted', refusal)
  return context
}

async function nextMessage(association: Association): Promise<Message> {
  const message = await association.receive()
  if (!message) throw new DimseError('lost', 'The peer released the association without an answer')
  return message
}

async function nextResponse(association: Association, messageId: number): Promise<Message> {
  const message = await nextMessage(association)
  assertAnswers(association, message, messageId)
  return message
}

function assertAnswers(association: Association, { command }: Message, messageId: number): void {
  if (isResponse(command) && command.respondsTo === messageId && command.status !== undefined) return
  association.abort()
  throw new DimseError('protocol', 'The peer answered something else than was asked')
}

function countsOf(command: Command): RetrieveCounts {
  return {
    remaining: command.remainingOperations,
    completed: command.completedOperations,
    failed: command.failedOperations,
    warning: command.warningOperations,
  }
}
