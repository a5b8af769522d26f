import type { Association, Message } from '@hilum/dicom/dimse/association'
import { type Commitment, readCommitment, sendReport, unreadableStatus } from '@hilum/dicom/dimse/commitment'
import { CommandField } from '@hilum/dicom/dimse/command'
import { reply } from '@hilum/dicom/dimse/services'
import { Status } from '@hilum/dicom/dimse/status'
import { takeReport } from '../../areas/push/take-report.command.ts'
import { answerCommitment, takeQuestion } from '../../areas/query/answer-commitment.command.ts'
import { DatabaseAwayError } from '../../db/database-away.ts'
import type { Services } from '../../services.ts'

/** Images of one question; more are refused before anything is looked up. */
const MAX_IMAGES = 100_000

/** The peer that asks or reports, and the AE title that was called. */
interface CommittingPeer {
  calledTitle: string
  callingTitle: string
  address: string
  /** A place whose AE title was called, or that of an exam which one of our own nodes sent. */
  namespaceUuid: string
  isOwnNode: boolean
}

/**
 * Answers a message of storage commitment (PS3.4 J): at a place the question whether images are stored, at one of our own
 * nodes the report of a destination that was asked.
 * @throws DimseError when the association ends meanwhile
 */
export async function serveCommitment(
  services: Services,
  association: Association,
  message: Message,
  peer: CommittingPeer,
): Promise<void> {
  const { field } = message.command
  const isServed = field === (peer.isOwnNode ? CommandField.EventReportRequest : CommandField.ActionRequest)
  if (!isServed) return reply(association, message, { status: Status.UnrecognizedOperation })
  try {
    if (peer.isOwnNode) {
      await reply(association, message, await takeReport(services, message, peer.calledTitle, peer))
    } else await answerQuestion(services, association, message, peer)
  } catch (error) {
    if (!(error instanceof DatabaseAwayError)) throw error
    const comment = 'The database of the server does not answer'
    await reply(association, message, { status: Status.ProcessingFailure, comment })
  }
}

/** The report goes to the destination that has the AE title of the peer; where there is none, over this association at once. */
async function answerQuestion(
  services: Services,
  association: Association,
  message: Message,
  peer: CommittingPeer,
): Promise<void> {
  const question = await readCommitment(message)
  const refusal = refusalOf(message, question)
  if (!question || refusal) return reply(association, message, refusal ?? { status: Status.ProcessingFailure })
  const { namespaceUuid } = peer
  if (await takeQuestion(services, namespaceUuid, peer, question)) {
    return reply(association, message, { status: Status.Success })
  }
  const answer = await answerCommitment(services, namespaceUuid, question.images)
  await reply(association, message, { status: Status.Success })
  await sendReport(association, { transactionUid: question.transactionUid, ...answer }, message.context)
}

function refusalOf(
  message: Message,
  question: Commitment | undefined,
): { status: number; comment?: string } | undefined {
  if (!question) return { status: unreadableStatus(message), comment: 'The question cannot be read' }
  if (question.images.length === 0) return { status: Status.InvalidArgument, comment: 'The question names no images' }
  if (question.images.length > MAX_IMAGES) {
    return { status: Status.InvalidArgument, comment: `More than ${MAX_IMAGES} images in one question` }
  }
  return undefined
}
