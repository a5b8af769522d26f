import type { Association, Message } from '@hilum/dicom/dimse/association'
import { type Commitment, CommitmentPush, readCommitment, sendReport } from '@hilum/dicom/dimse/commitment'
import { requestAssociation } from '@hilum/dicom/dimse/request-association'
import { reply } from '@hilum/dicom/dimse/services'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'

/** How a scripted peer answers questions for storage commitment. */
export interface CommitmentScript {
  /** Of the answer to the question. */
  status?: number
  /** Over the association that asked, over one to this port, or never. */
  reports?: 'here' | 'never' | { port: number; calledTitle: string; callingTitle: string }
  /** Changes the report, which otherwise says that everything is stored. */
  change?: (report: Commitment) => Commitment
  /** Questions so far, and the answers to reports. */
  asked: Commitment[]
  answers: number[]
}

export async function answerCommitmentByScript(
  script: CommitmentScript,
  association: Association,
  message: Message,
): Promise<void> {
  const question = await readCommitment(message)
  if (!question) throw new Error('The question cannot be read')
  script.asked.push(question)
  await reply(association, message, { status: script.status ?? 0 })
  if (script.status) return
  const report = script.change?.(question) ?? question
  const { reports = 'here' } = script
  if (reports === 'never') return
  const { status } = reports === 'here' ? await sendReport(association, report) : await reportByScript(reports, report)
  script.answers.push(status)
}

/** Reports over an association of its own. */
export async function reportByScript(
  peer: { port: number; calledTitle: string; callingTitle: string },
  report: Commitment,
): Promise<{ status: number }> {
  const proposal = { abstractSyntax: CommitmentPush, transferSyntaxes: [ExplicitLittleEndian], isScp: true }
  const association = await requestAssociation({ host: '127.0.0.1', ...peer }, [proposal])
  const answer = await sendReport(association, report)
  await association.release()
  return answer
}
