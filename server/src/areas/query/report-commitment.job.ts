import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { formatStatus, Status } from '@hilum/dicom/dimse/status'
import { reportCommitment } from '../../outbound/pacs/report-commitment.ts'
import { isPassingError } from '../../outbound/pacs/send-instances.ts'
import { findOpenDestination } from '../destination/destination.sql.ts'
import { peerOf } from '../destination/peer-of-destination.ts'
import type { JobActs } from '../job.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { WorkFailure } from '../job/work-failure.ts'
import { answerCommitment } from './answer-commitment.command.ts'
import { deleteQuestion, findQuestion } from './commitment.sql.ts'

/** Reports to a peer which of its images are stored here, as it is when the report leaves. */
export const reportCommitmentActs: JobActs<PayloadOf<'reportCommitment'>> = {
  run: async (services, { questionUuid }, { signal }) => {
    const { db } = services
    const question = await findQuestion(db, questionUuid)
    if (!question) return
    const { namespace_uuid, destination_uuid, transaction_uid: transactionUid } = question
    const destination = await findOpenDestination(db, destination_uuid, namespace_uuid)
    if (!destination) throw refuse('The destination that the report belongs to is no longer there', false)
    const answer = await answerCommitment(services, namespace_uuid, question.images)
    const peer = await peerOf(services, destination)
    const { status } = await reportCommitment(peer, { transactionUid, ...answer }, signal).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof DimseError)) throw error
      throw refuse(error.message, isPassingError(error))
    })
    if (status !== Status.Success) {
      throw refuse(`The peer answered ${formatStatus(status)} to the report`, status === Status.ProcessingFailure)
    }
    await deleteQuestion(db, questionUuid)
  },
  giveUp: async (tx, { questionUuid }) => {
    await deleteQuestion(tx, questionUuid)
    return undefined
  },
}

function refuse(words: string, mayPass: boolean): WorkFailure {
  return new WorkFailure('NOT_REPORTED', words, { isFinal: !mayPass })
}
