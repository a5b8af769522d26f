import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Association, Message } from '@hilum/dicom/dimse/association'
import type { DataSet } from '@hilum/dicom/data-set'
import { CommandField, responseTo } from '@hilum/dicom/dimse/command'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { identifierOf, readIdentifier } from '@hilum/dicom/dimse/identifier'
import { QueryClass } from '@hilum/dicom/dimse/query'
import { reply } from '@hilum/dicom/dimse/services'
import { formatStatus, Status } from '@hilum/dicom/dimse/status'
import type { WriteElement } from '@hilum/dicom/write-part10'
import { visibleToPeer } from '../../access/study-scope.ts'
import { answerOf } from '../../areas/query/answer-of.ts'
import { findMatches } from '../../areas/query/find-matches.command.ts'
import { type AskingPeer, recordQuery } from '../../areas/query/query-on-record.command.ts'
import { QueryError, type QueryRoot, readFind } from '../../areas/query/read-query.ts'
import { DatabaseAwayError } from '../../db/database-away.ts'
import { findSteps, readWorklistQuery, worklistAnswer } from '../../areas/query/worklist.command.ts'
import type { Services } from '../../services.ts'

/** Answers between two looks at whether the peer has called the query off. */
const answersAtOnce = 20

/**
 * Answers a C-FIND of a peer that may query (PS3.4 C.4.1), or may ask for the worklist (PS3.4 K.4.1): match by match as the peer takes them, until the last or until
 * the peer calls it off. How it ended is on record before the last answer leaves.
 * @throws DimseError when the association ends meanwhile; that is on record as well
 */
export async function serveFind(
  services: Services,
  association: Association,
  message: Message,
  peer: AskingPeer,
): Promise<void> {
  const { context, command } = message
  const identifier = await readIdentifier(message)
  const summary = { level: '', answers: 0 }
  const end = async ({ status, comment }: { status: number; comment?: string }) => {
    const reason = comment ? { reason: comment } : {}
    await recordQuery(services.db, peer, 'C-FIND', { ...summary, status: formatStatus(status), ...reason })
    return { status, comment }
  }
  const answer = async (): Promise<{ status: number; comment?: string }> => {
    const { level, isPartial, answers } = openAnswers(services, context.abstractSyntax, identifier, peer)
    summary.level = level
    const status = isPartial ? Status.PendingKeysUnsupported : Status.Pending
    for await (const keys of answers) {
      if (summary.answers % answersAtOnce === 0) {
        await nextTurn()
        if (peer.isOver.aborted) throw new QueryError(Status.NotAuthorized, 'The right to ask was taken away')
        if (await isCalledOff(association, command.messageId)) return { status: Status.Cancelled }
      }
      await association.send(context, { ...responseTo(command), status }, identifierOf(keys, context))
      summary.answers += 1
    }
    return { status: Status.Success }
  }
  let answered
  try {
    answered = await answer()
  } catch (error) {
    if (error instanceof DimseError) {
      await end({ status: Status.Cancelled, comment: error.message })
      throw error
    }
    answered = explainFailure(services, error)
  }
  await reply(association, message, await end(answered))
}

interface Answers {
  level: string
  isPartial: boolean
  answers: AsyncIterable<WriteElement[]>
}

/** @throws QueryError */
function openAnswers(
  services: Services,
  sopClass: string,
  identifier: DataSet | undefined,
  { node, calledTitle }: AskingPeer,
): Answers {
  if (sopClass === QueryClass.WorklistFind) {
    const query = readWorklistQuery(identifier)
    const steps = findSteps(services.db, node.namespaceUuid, query)
    return {
      level: 'WORKLIST',
      isPartial: query.isPartial,
      answers: mapped(steps, (step) => worklistAnswer(step, query)),
    }
  }
  const query = readFind(rootOf(sopClass), identifier)
  const matches = findMatches(services, visibleToPeer(node), query)
  const { level, isPartial } = query
  return { level, isPartial, answers: mapped(matches, (match) => answerOf(match, query, calledTitle)) }
}

async function* mapped<From, To>(all: AsyncIterable<From>, present: (one: From) => To): AsyncGenerator<To> {
  for await (const one of all) yield present(one)
}

/** Status and words for a failure of ours or of the query. @throws DimseError */
export function explainFailure(services: Services, error: unknown): { status: number; comment: string } {
  if (error instanceof DimseError) throw error
  if (error instanceof QueryError) return { status: error.status, comment: error.message }
  if (error instanceof DatabaseAwayError) {
    return { status: Status.OutOfResources, comment: 'The database of the server does not answer' }
  }
  services.log.error({ event: 'dicom query failed', err: error })
  return { status: Status.ProcessingFailure, comment: 'Something failed inside the server' }
}

/**
 * Whether the peer has sent a C-CANCEL for a request meanwhile; asks without waiting.
 * @throws DimseError when the association is over, or brings something else
 */
export async function isCalledOff(association: Association, messageId: number | undefined): Promise<boolean> {
  if (!association.hasNews) return false
  const message = await association.receive()
  if (!message) throw new DimseError('aborted', 'The peer released the association inside a request')
  if (message.command.field === CommandField.CancelRequest) return message.command.respondsTo === messageId
  association.abort()
  throw new DimseError('protocol', 'The peer asked for something before its request was answered')
}

const byPatient: ReadonlySet<string> = new Set([QueryClass.PatientFind, QueryClass.PatientMove, QueryClass.PatientGet])

export function rootOf(sopClass: string): QueryRoot {
  return byPatient.has(sopClass) ? 'patient' : 'study'
}
