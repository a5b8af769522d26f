import type { Association } from '@hilum/dicom/dimse/association'
import type { AssociationLimits } from '@hilum/dicom/dimse/association-limits'
import { MAX_CONTEXTS } from '@hilum/dicom/dimse/association-pdu'
import type { Command } from '@hilum/dicom/dimse/command'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { type Peer, requestAssociation } from '@hilum/dicom/dimse/request-association'
import { echo, store, Verification } from '@hilum/dicom/dimse/services'
import { formatStatus, kindOfStatus, Status } from '@hilum/dicom/dimse/status'
import { DicomReadError } from '@hilum/dicom/read-error'
import type { RenderPool } from '@hilum/dicom/render/pool'
import { RenderError } from '@hilum/dicom/render/render-error'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { overAssociation } from './ended-association.ts'
import { describeRefusal, findPassage, goesAsStored, type Passage } from './data-for-context.ts'
import { FilesAhead } from './files-ahead.ts'
import { MustNotSendError, type OutgoingInstance, type SendOutcome } from './outgoing-instance.ts'
import { type AssociationPlan, planContexts } from './plan-contexts.ts'

interface SendOptions {
  render: RenderPool
  signal?: AbortSignal
  /** Called before the first byte of each instance leaves, which waits for the end of the promise. */
  onOutgoing?: () => Promise<void>
  /** Called with each outcome as it is known. */
  onProgress?: (outcome: SendOutcome) => void
  /** Associations at once: peers wait for acknowledgements, each by itself. Default 4. */
  parallel?: number
  limits?: AssociationLimits
  /** The peer that asked for the objects by C-MOVE, and under which message id. */
  originator?: Originator
}
type Originator = Pick<Command, 'moveOriginator' | 'moveOriginatorMessageId'>

/** Objects that may fail one after the other with their association, before an association is no longer asked for. */
const MAX_LOST_IN_A_ROW = 3

/**
 * Asks a DICOM node whether it answers (C-ECHO).
 * @throws DimseError with the reason in words
 */
export async function echoPeer(
  peer: Peer,
  options: Pick<SendOptions, 'signal' | 'limits'> = {},
): Promise<{ status: number }> {
  const proposal = { abstractSyntax: Verification, transferSyntaxes: [ImplicitLittleEndian, ExplicitLittleEndian] }
  const association = await requestAssociation(peer, [proposal], options)
  const { status } = await overAssociation(association, () => echo(association))
  return { status }
}

/**
 * Sends instances to a DICOM node (C-STORE). Each has exactly one outcome, in the order given; nothing is tried twice,
 * except what no association could be had for by one of several that send at once. When `signal` is aborted, what was not
 * sent by then has failed.
 */
export async function sendInstances(
  peer: Peer,
  instances: readonly OutgoingInstance[],
  options: SendOptions,
): Promise<SendOutcome[]> {
  const outcomes = new Map<OutgoingInstance, SendOutcome>()
  const settle = (outcome: SendOutcome) => {
    outcomes.set(outcome.instance, outcome)
    options.onProgress?.(outcome)
  }
  for (const plan of planContexts(instances, MAX_CONTEXTS)) await sendPlan(peer, plan, options, settle)
  return instances.map((instance) => outcomes.get(instance) ?? failed(instance, notSent))
}

async function sendPlan(
  peer: Peer,
  { proposals, instances }: AssociationPlan,
  options: SendOptions,
  settle: (outcome: SendOutcome) => void,
): Promise<void> {
  const queue = [...instances]
  const open = () => requestAssociation(peer, proposals, options)
  const parallel = Math.min(options.parallel ?? 4, queue.length)
  const ahead = new FilesAhead()
  const send = () => sendQueue(queue, ahead, open, options, settle)
  const reasons = await Promise.all(Array.from({ length: parallel }, send)).finally(() => ahead.close())
  // the instances left when every association was refused or lost
  const reason = reasons.find((one) => one !== undefined) ?? notSent
  for (const instance of queue.splice(0)) settle(failed(instance, reason))
}

/** Sends from the queue over one association after the other. @returns why it stopped early, if it did */
async function sendQueue(
  queue: OutgoingInstance[],
  ahead: FilesAhead,
  open: () => Promise<Association>,
  options: SendOptions,
  settle: (outcome: SendOutcome) => void,
): Promise<Reason | undefined> {
  let association: Association | undefined
  let lostInARow = 0
  try {
    while (!options.signal?.aborted) {
      const instance = queue.shift()
      if (!instance) return undefined
      if (!association?.isOpen) {
        try {
          association = await open()
        } catch (error) {
          queue.unshift(instance)
          return explain(error)
        }
      }
      const [over, turn] = [association, ahead.take(instance)]
      ahead.begin(queue, (next) => goesAsStored(over, next))
      const { outcome, isLost } = await sendOver(over, turn.instance, options)
      await turn.close(outcome.kind === 'stored' && over.hasWritten)
      settle({ ...outcome, instance })
      lostInARow = isLost ? lostInARow + 1 : 0
      if (lostInARow === MAX_LOST_IN_A_ROW) return { words: outcome.reason, mayPass: outcome.mayPass }
    }
    return { words: isForbidden(options.signal) ? options.signal.reason.message : 'It was called off', mayPass: true }
  } finally {
    await association?.release()
  }
}

/**
 * Sends one instance over an open association. `isLost`: the association ended, and not because of the file.
 * @param onCancel told of a C-CANCEL that comes in between (C-GET)
 */
export async function sendOver(
  association: Association,
  instance: OutgoingInstance,
  { render, originator, signal, onOutgoing }: Pick<SendOptions, 'render' | 'originator' | 'signal' | 'onOutgoing'>,
  onCancel?: (messageId: number | undefined) => void,
): Promise<{ outcome: SendOutcome; isLost: boolean }> {
  const { sopClass, sopInstance } = instance
  let passage: Passage | undefined
  try {
    passage = findPassage(association, instance, render)
    const { context, isTranscoded } = passage
    const data = outgoingData(passage.data, { signal, onOutgoing })
    const { status, comment } = await store(association, context, { sopClass, sopInstance, data }, originator, onCancel)
    const kind = kindOfStatus(status)
    if (kind === 'success') {
      return { outcome: { instance, kind: 'stored', status, reason: '', mayPass: false, isTranscoded }, isLost: false }
    }
    const reason = `The peer answered ${formatStatus(status)}${comment ? `: ${comment}` : ''}`
    const outcomeKind = kind === 'warning' ? 'warning' : 'failed'
    const mayPass = outcomeKind === 'failed' && isPassing(status)
    return { outcome: { instance, kind: outcomeKind, status, reason, mayPass, isTranscoded }, isLost: false }
  } catch (error) {
    // a file that fails in the middle ends the association as well, but says nothing about the peer
    const isLost = error instanceof DimseError && !association.isOpen
    const isUndecodable = passage?.isTranscoded && (error instanceof RenderError || error instanceof DicomReadError)
    const reason = isUndecodable
      ? { words: `${describeRefusal(instance.transferSyntax)}: ${error.message}`, mayPass: false }
      : explain(isForbidden(signal) ? signal.reason : error)
    return { outcome: failed(instance, reason), isLost }
  }
}

/** Whether a signal says that the images must not leave any more, and not that somebody called them off. */
export function isForbidden(
  signal: AbortSignal | undefined,
): signal is AbortSignal & { readonly reason: MustNotSendError } {
  return signal?.reason instanceof MustNotSendError
}

/** An image of a sending that is called off is sent to its end; an image that must not leave any more ends where it is. */
async function* outgoingData(
  data: AsyncIterable<Uint8Array>,
  { signal, onOutgoing }: Pick<SendOptions, 'signal' | 'onOutgoing'>,
) {
  let isFirst = true
  for await (const chunk of data) {
    if (isFirst) await onOutgoing?.()
    isFirst = false
    if (isForbidden(signal)) throw signal.reason
    yield chunk
  }
}

type Reason = { words: string; mayPass: boolean }
const notSent: Reason = { words: 'It was not sent', mayPass: true }

function failed(instance: OutgoingInstance, { words, mayPass }: Reason): SendOutcome {
  return { instance, kind: 'failed', status: undefined, reason: words, mayPass, isTranscoded: false }
}

/** Words for people; what is neither of the network nor of the file is told in general. */
function explain(error: unknown): Reason {
  if (error instanceof DimseError) return { words: error.message, mayPass: isPassingError(error) }
  const isOfFile = error instanceof DicomReadError || error instanceof RenderError || error instanceof MustNotSendError
  return isOfFile ? { words: error.message, mayPass: false } : { words: 'The image could not be read', mayPass: true }
}

/** Out of resources (A7xx), and a failure in processing (0110), which may be a full disk of the peer (PS3.4 B.2.3). */
function isPassing(status: number): boolean {
  return status >>> 8 === 0xa7 || status === Status.ProcessingFailure
}

/** A peer that was not there, was busy or broke off may be well later; one that knows no such title will not. */
export function isPassingError({ code, rejection }: DimseError): boolean {
  return code === 'refused' ? rejection?.result === 2 : code !== 'not-accepted' && code !== 'protocol'
}
