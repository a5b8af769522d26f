import type { Message } from '@hilum/dicom/dimse/association'
import { MAX_CONTEXTS } from '@hilum/dicom/dimse/association-pdu'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import {
  getStudy,
  isAgreed,
  moveStudy,
  QueryClass,
  type RetrieveCounts,
  type RetrieveEnd,
} from '@hilum/dicom/dimse/query'
import { type Peer, type Proposal, requestAssociation } from '@hilum/dicom/dimse/request-association'
import { reply } from '@hilum/dicom/dimse/services'
import { formatStatus, kindOfStatus, Status } from '@hilum/dicom/dimse/status'
import { storageClasses } from '@hilum/dicom/sop-classes'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { overAssociation } from './ended-association.ts'

interface RetrieveOptions {
  studyUid: string
  method: 'auto' | 'move' | 'get'
  /** Our AE title, which the peer sends to with C-MOVE. */
  ownTitle: string
  messageId: number
  signal: AbortSignal
  onProgress: (counts: RetrieveCounts) => void
  /** Stores an object that comes over the association (C-GET), and gives the answer to it. */
  onObject: (message: Message) => Promise<{ status: number; comment?: string }>
}

export interface Retrieved {
  method: 'move' | 'get'
  kind: 'done' | 'partial' | 'failed'
  counts: RetrieveCounts
  /** Words for people without patient data; empty when everything came. */
  reason: string
}

/** A peer that fetches from tape says nothing for minutes. */
const limits = { negotiationMs: 15_000, idleMs: 300_000, stallMs: 60_000 }
const plain = [ExplicitLittleEndian, ImplicitLittleEndian]
/** Compressed as it is stored is how a peer sends the fastest; the commonest first, as the contexts are few. */
const compressed = ['4.70', '4.90', '4.50', '4.91', '4.80', '5', '4.57', '4.51'].map(
  (end) => `1.2.840.10008.1.2.${end}`,
)
/** Classes that compressed images are of: CT, MR, CR, DX, MG, US, XA, secondary capture. */
const compressible = ['2', '4', '1', '1.1', '6.1', '3.1', '12.1', '7', '1.2'].map(
  (end) => `1.2.840.10008.5.1.4.1.1.${end}`,
)

/**
 * Has a peer send a study to us: by C-MOVE to our AE title, or over the same association (C-GET) where the peer offers that
 * alone, or does not know our title.
 * @throws DimseError with the reason in words
 */
export async function retrieveFromPeer(peer: Peer, options: RetrieveOptions): Promise<Retrieved> {
  const { method } = options
  if (method !== 'get') {
    const association = await requestAssociation(peer, queries(method), { limits, signal: options.signal })
    if (isAgreed(association, QueryClass.StudyMove)) {
      const mayGet = method === 'auto' && isAgreed(association, QueryClass.StudyGet)
      const end = await overAssociation(association, () => {
        const { studyUid, ownTitle, messageId, onProgress } = options
        return moveStudy(association, { studyUid, destination: ownTitle, messageId }, onProgress)
      })
      if (!(end.status === Status.MoveDestinationUnknown && mayGet)) return outcomeOf('move', end)
    } else {
      await association.release()
      if (method === 'move') throw new DimseError('not-accepted', 'The peer does not take retrievals (C-MOVE)')
    }
  }
  const association = await requestAssociation(peer, [...getProposals()], { limits, signal: options.signal })
  return outcomeOf(
    'get',
    await overAssociation(association, () => {
      const onObject = async (message: Message) => reply(association, message, await options.onObject(message))
      return getStudy(association, options.studyUid, onObject, options.onProgress)
    }),
  )
}

function queries(method: 'auto' | 'move'): Proposal[] {
  const classes = method === 'auto' ? [QueryClass.StudyMove, QueryClass.StudyGet] : [QueryClass.StudyMove]
  return classes.map((abstractSyntax) => ({ abstractSyntax, transferSyntaxes: plain }))
}

/** The query, every class that fits uncompressed, and the commonest ones compressed, each in a context of its own. */
function* getProposals(): Generator<Proposal> {
  yield { abstractSyntax: QueryClass.StudyGet, transferSyntaxes: plain }
  const ofClasses = compressible.flatMap((abstractSyntax) =>
    compressed.slice(0, 3).map((one) => ({ abstractSyntax, transferSyntaxes: [one], isScp: true })),
  )
  const room = MAX_CONTEXTS - 1 - ofClasses.length
  const others = storageClasses.filter((one) => !compressible.includes(one))
  for (const abstractSyntax of [...compressible, ...others].slice(0, room))
    yield { abstractSyntax, transferSyntaxes: plain, isScp: true }
  yield* ofClasses
}

function outcomeOf(method: 'move' | 'get', end: RetrieveEnd): Retrieved {
  const { status, comment, ...counts } = end
  const failed = counts.failed ?? 0
  const kind = kindOfStatus(status)
  const answer = `The peer answered ${formatStatus(status)}${comment ? `: ${comment}` : ''}`
  if (kind === 'success' && failed === 0) return { method, kind: 'done', counts, reason: '' }
  const came = (counts.completed ?? 0) + (counts.warning ?? 0)
  const words =
    status === Status.MoveDestinationUnknown
      ? 'The peer does not know our AE title: it must be entered there with our address and port'
      : failed > 0
        ? `${failed} images could not be sent to us. ${answer}`
        : answer
  return { method, kind: kind !== 'failure' || came > 0 ? 'partial' : 'failed', counts, reason: words }
}
