import { setTimeout as wait } from 'node:timers/promises'
import type { Message } from '@hilum/dicom/dimse/association'
import { askCommitment, CommitmentPush, type ReferencedImage } from '@hilum/dicom/dimse/commitment'
import { CommandField } from '@hilum/dicom/dimse/command'
import { type Peer, requestAssociation } from '@hilum/dicom/dimse/request-association'
import { reply } from '@hilum/dicom/dimse/services'
import { Status } from '@hilum/dicom/dimse/status'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { overAssociation } from './ended-association.ts'

/** Many peers report at once over the association that asked, or never over it. */
const REPORT_MS = 4_000
const LOOK_MS = 50

/** Answers a report; the status says whether it was awaited. */
type OnReport = (message: Message) => Promise<{ status: number; comment?: string }>

/**
 * Asks a peer to commit itself to images, and listens for a while to reports over the same association.
 * @param isAnswered ends the listening early
 * @returns the answer to the question; status 0000 says that the peer will report
 * @throws DimseError
 */
export async function askPeerToCommit(
  peer: Peer,
  question: { transactionUid: string; images: readonly ReferencedImage[] },
  { signal, onReport, isAnswered }: { signal: AbortSignal; onReport: OnReport; isAnswered: () => Promise<boolean> },
): Promise<{ status: number; comment: string }> {
  const proposal = { abstractSyntax: CommitmentPush, transferSyntaxes: [ExplicitLittleEndian, ImplicitLittleEndian] }
  const association = await requestAssociation(peer, [proposal], { signal })
  return overAssociation(association, async () => {
    const answer = await askCommitment(association, question.transactionUid, question.images)
    if (answer.status !== Status.Success) return answer
    const until = Date.now() + REPORT_MS
    while (association.isOpen && Date.now() < until && !(await isAnswered())) {
      if (!association.hasNews) {
        await wait(LOOK_MS, undefined, { signal })
        continue
      }
      const message = await association.receive()
      if (!message) break
      const isReport = message.command.field === CommandField.EventReportRequest
      await reply(association, message, isReport ? await onReport(message) : { status: Status.UnrecognizedOperation })
    }
    return answer
  })
}
