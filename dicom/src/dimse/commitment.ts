import type { Association, Context, Message } from './association.ts'
import { CommandField } from './command.ts'
import { contextOf } from './query.ts'
import { identifierOf, readIdentifier } from './identifier.ts'
import { ask } from './services.ts'
import { Status } from './status.ts'
import { Tag } from '../tags.ts'
import { findItems, findNumbers, findText } from '../values.ts'
import type { WriteElement } from '../write-part10.ts'

/** Storage Commitment Push Model: the class and its one instance (PS3.4 J.3). */
export const CommitmentPush = '1.2.840.10008.1.20.1'
const commitmentInstance = '1.2.840.10008.1.20.1.1'
const REQUEST_COMMITMENT = 1
/** Event types (PS3.4 J.3.3.1): every image is committed; some are not. */
const ALL_COMMITTED = 1
const SOME_FAILED = 2

/** Names of 20,000 images take some 3 MB. */
const MAX_LIST_BYTES = 32 * 1024 * 1024

/** Reasons why an image is not committed (PS3.3 C.14-1). */
export const CommitmentFailure = {
  Processing: 0x0110,
  NoSuchInstance: 0x0112,
  OutOfResources: 0x0213,
  ClassNotSupported: 0x0122,
  ClassConflict: 0x0119,
  DuplicateTransaction: 0x0131,
} as const

/** An image by its name on the network. */
export type ReferencedImage = { sopClass: string; sopInstance: string }
export type FailedImage = ReferencedImage & { reason: number }

/** A question for commitment, or the report on one. */
export type Commitment = {
  transactionUid: string
  images: ReferencedImage[]
  /** In a report alone. */
  failed: FailedImage[]
}

/**
 * Asks a peer to commit itself to the storage of images (N-ACTION). Status 0000 says that it will report, and nothing more.
 * @throws DimseError
 */
export function askCommitment(
  association: Association,
  transactionUid: string,
  images: readonly ReferencedImage[],
): Promise<{ status: number; comment: string }> {
  const context = contextOf(association, CommitmentPush, 'The peer does not offer storage commitment')
  const command = {
    field: CommandField.ActionRequest,
    requestedSopClass: CommitmentPush,
    requestedSopInstance: commitmentInstance,
    actionTypeId: REQUEST_COMMITMENT,
  }
  return ask(association, context, command, { data: identifierOf(elementsOf({ transactionUid, images }), context) })
}

/**
 * Reports which images are stored (N-EVENT-REPORT).
 * @throws DimseError
 */
export function sendReport(
  association: Association,
  { transactionUid, images, failed }: Commitment,
  context: Context = contextOf(association, CommitmentPush, 'The peer takes no reports of storage commitment'),
): Promise<{ status: number; comment: string }> {
  const command = {
    field: CommandField.EventReportRequest,
    affectedSopClass: CommitmentPush,
    affectedSopInstance: commitmentInstance,
    eventTypeId: failed.length > 0 ? SOME_FAILED : ALL_COMMITTED,
  }
  return ask(association, context, command, {
    data: identifierOf(elementsOf({ transactionUid, images, failed }), context),
  })
}

type Listed = { transactionUid: string; images: readonly ReferencedImage[]; failed?: readonly FailedImage[] }

function elementsOf({ transactionUid, images, failed = [] }: Listed): WriteElement[] {
  const named = ({ sopClass, sopInstance }: ReferencedImage): WriteElement[] => [
    { tag: Tag.ReferencedSOPClassUID, vr: 'UI', value: sopClass },
    { tag: Tag.ReferencedSOPInstanceUID, vr: 'UI', value: sopInstance },
  ]
  const failures = failed.map((one) => [...named(one), { tag: Tag.FailureReason, vr: 'US', value: [one.reason] }])
  return [
    { tag: Tag.TransactionUID, vr: 'UI', value: transactionUid },
    ...(failures.length > 0 ? [{ tag: Tag.FailedSOPSequence, vr: 'SQ', value: failures }] : []),
    ...(images.length > 0 ? [{ tag: Tag.ReferencedSOPSequence, vr: 'SQ', value: images.map(named) }] : []),
  ]
}

/**
 * The question or the report that a message brings.
 * @returns undefined where the message is none that can be read, or names no transaction
 * @throws DimseError when it is far too long
 */
export async function readCommitment(message: Message): Promise<Commitment | undefined> {
  const dataSet = await readIdentifier(message, MAX_LIST_BYTES)
  const { field, actionTypeId, eventTypeId } = message.command
  const isKnown =
    field === CommandField.ActionRequest
      ? actionTypeId === REQUEST_COMMITMENT
      : eventTypeId === ALL_COMMITTED || eventTypeId === SOME_FAILED
  const transactionUid = dataSet && findText(dataSet, Tag.TransactionUID)
  if (!dataSet || !isKnown || !transactionUid) return undefined
  const namedIn = (tag: number) =>
    findItems(dataSet, tag).map((item) => ({
      sopClass: findText(item, Tag.ReferencedSOPClassUID) ?? '',
      sopInstance: findText(item, Tag.ReferencedSOPInstanceUID) ?? '',
      reason: findNumbers(item, Tag.FailureReason)[0] ?? Status.ProcessingFailure,
    }))
  return {
    transactionUid,
    images: namedIn(Tag.ReferencedSOPSequence).map(({ sopClass, sopInstance }) => ({ sopClass, sopInstance })),
    failed: namedIn(Tag.FailedSOPSequence),
  }
}

/** The status for a message that `readCommitment` makes nothing of (PS3.7 §10.1.1.1.8, §10.1.4.1.10). */
export function unreadableStatus({ command }: Message): number {
  const type = command.field === CommandField.ActionRequest ? command.actionTypeId : command.eventTypeId
  const highest = command.field === CommandField.ActionRequest ? REQUEST_COMMITMENT : SOME_FAILED
  const isKnownType = type !== undefined && type >= 1 && type <= highest
  if (isKnownType) return Status.InvalidArgument
  return command.field === CommandField.ActionRequest ? Status.NoSuchAction : Status.NoSuchEventType
}
