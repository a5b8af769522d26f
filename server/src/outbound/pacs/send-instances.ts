import type { Association } from '@hilum/dicom/dimse/association'
import type { AssociationLimits } from '@hilum/dicom/dimse/association-limits'
import { MAX_CONTEXTS } from '@hilum/dicom/dimse/association-pdu'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { type Peer, requestAssociation } from '@hilum/dicom/dimse/request-association'
import { echo, store, Verification } from '@hilum/dicom/dimse/services'
import { formatStatus, kindOfStatus } from '@hilum/dicom/dimse/status'
import { DicomReadError } from '@hilum/dicom/read-error'
import type { RenderPool } from '@hilum/dicom/render/pool'
import { RenderError } from '@hilum/dicom/render/render-error'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { describeRefusal, findPassage, type Passage } from './data-for-context.ts'
import type { OutgoingInstance, SendOutcome } from './outgoing-instance.ts'
import { type AssociationPlan, planContexts } from './plan-contexts.ts'

export interface SendOptions {
  render: RenderPool
  signal?: AbortSignal
  /** Called with each outcome as it is known. */
  onProgress?: (outcome: SendOutcome) => void
  /** Associations at once: peers wait for acknowledgements, each by itself. Default 4. */
  parallel?: number
  limits?: AssociationLimits
}

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
  const { status } = await echo(association)
  await association.release()
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
  return instances.map((instance) => outcomes.get(instance) ?? failed(instance, 'It was not sent'))
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
  const reasons = await Promise.all(Array.from({ length: parallel }, () => sendQueue(queue, open, options, settle)))
  // what is left when every association was refused or lost
  const reason = reasons.find((one) => one !== undefined) ?? 'It was not sent'
  for (const instance of queue.splice(0)) settle(failed(instance, reason))
}

/** Sends from the queue over one association after the other. @returns why it stopped early, if it did */
async function sendQueue(
  queue: OutgoingInstance[],
  open: () => Promise<Association>,
  options: SendOptions,
  settle: (outcome: SendOutcome) => void,
): Promise<string | undefined> {
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
      const { outcome, isLost } = await sendOne(association, instance, options.render)
      settle(outcome)
      lostInARow = isLost ? lostInARow + 1 : 0
      if (lostInARow === MAX_LOST_IN_A_ROW) return outcome.reason
    }
    return 'It was called off'
  } finally {
    await association?.release()
  }
}

async function sendOne(
  association: Association,
  instance: OutgoingInstance,
  render: RenderPool,
): Promise<{ outcome: SendOutcome; isLost: boolean }> {
  const { sopClass, sopInstance } = instance
  let passage: Passage | undefined
  try {
    passage = findPassage(association, instance, render)
    const { context, data, isTranscoded } = passage
    const { status, comment } = await store(association, context, { sopClass, sopInstance, data })
    const kind = kindOfStatus(status)
    if (kind === 'success') {
      return { outcome: { instance, kind: 'stored', status, reason: '', isTranscoded }, isLost: false }
    }
    const reason = `The peer answered ${formatStatus(status)}${comment ? `: ${comment}` : ''}`
    const told = kind === 'warning' ? 'warning' : 'failed'
    return { outcome: { instance, kind: told, status, reason, isTranscoded }, isLost: false }
  } catch (error) {
    // a file that fails in the middle ends the association as well, but says nothing about the peer
    const isLost = error instanceof DimseError && !association.isOpen
    const isUndecodable = passage?.isTranscoded && (error instanceof RenderError || error instanceof DicomReadError)
    const reason = isUndecodable ? `${describeRefusal(instance.transferSyntax)}: ${error.message}` : explain(error)
    return { outcome: failed(instance, reason), isLost }
  }
}

function failed(instance: OutgoingInstance, reason: string): SendOutcome {
  return { instance, kind: 'failed', status: undefined, reason, isTranscoded: false }
}

/** Words for people; what is neither of the network nor of the file is told in general. */
function explain(error: unknown): string {
  const isInWords = error instanceof DimseError || error instanceof DicomReadError || error instanceof RenderError
  return isInWords ? error.message : 'The image could not be read'
}
