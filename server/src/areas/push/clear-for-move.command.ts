import type { Correction } from '@hilum/dicom/node/correct-file'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import { MustNotSendError } from '../../outbound/pacs/outgoing-instance.ts'
import type { Services } from '../../services.ts'
import { correctionOf } from '../altered/record-edits.ts'
import type { DestinationRow } from '../destination/destination.sql.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import type { LookedUp } from './ask-destination.command.ts'
import type { Departures } from './begin-departure.command.ts'
import { findDepartures } from '../altered/departure.sql.ts'
import {
  askDestinationAbout,
  demandUnchangedPatient,
  HeldBackError,
  type Departure,
  readExamToSend,
} from './exam-to-send.command.ts'
import { reasonOfObstacle } from './obstacle-words.ts'
import { listAnswered } from './push.sql.ts'
import { sentAsOf } from '../altered/sent-as.ts'

/** Images of an exam that may leave with corrections made as each leaves, or why none may, without patient data. */
export type Cleared =
  | { images: readonly StoredInstance[]; correct: () => Promise<Correction | undefined> }
  | { reason: string }
export type ClearExam = (record: StudyRecord, list: () => Promise<StoredInstance[]>) => Promise<Cleared>

/**
 * Asks of exams that a peer has sent to a destination (C-MOVE) all that is asked of a push there, and each once more before
 * its first image: the questions, and the images of other exams before it, may take minutes. Only a destination that cannot
 * be asked whom it holds gets what it asks for itself, as over its own association (C-GET). What people answered when they
 * sent an exam there holds here, too.
 */
export function clearForMove(
  services: Services,
  destination: DestinationRow,
  { isAsking, departures, signal }: { isAsking: boolean; departures: Departures; signal: AbortSignal },
): ClearExam {
  const goesUnasked = destination.push_unchecked || (isAsking && !destination.can_search)
  const asked = {
    destination,
    sent: [],
    goesUnasked,
    signal,
    ask: askingOnce(goesUnasked),
  }
  return async (record, list) => {
    try {
      const departure = { ...asked, answered: await listAnswered(services.db, record, destination.uuid) }
      const before = await findDepartures(services.db, record, destination.uuid)
      const formerAs = before.former?.sentAs ?? null
      const read = () => readExamToSend(services, record, departure, list)
      const exam = await read()
      await askDestinationAbout(services, exam, { ...departure, formerAs })
      const correctAsNow = async () => {
        const now = await read()
        demandUnchangedPatient(exam, now)
        const there = new Set(now.images.map((one) => one.version))
        if (!exam.images.every((one) => there.has(one.version))) throw new HeldBackError({ kind: 'changed' })
        return correctionOf({ ...now.outgoing, mixed_patients: false })
      }
      let corrected: Promise<Correction | undefined> | undefined
      const departing = { record, destinationUuid: destination.uuid, sentAs: sentAsOf(exam.outgoing), before }
      const correct = async () => {
        const correction = await (corrected ??= correctAsNow().catch(refuseImage))
        if (!(await departures.maySend(departing))) refuseImage(new HeldBackError({ kind: 'departing' }))
        return correction
      }
      return { images: exam.images, correct }
    } catch (error) {
      if (error instanceof HeldBackError) return { reason: reasonOfObstacle(error.obstacle) }
      throw error
    }
  }
}

function refuseImage(error: unknown): never {
  if (!(error instanceof HeldBackError)) throw error
  throw new MustNotSendError(reasonOfObstacle(error.obstacle), { cause: error })
}

/** One question for all exams of a patient, and none after one that was not answered: the others wait meanwhile. */
function askingOnce(goesUnasked: boolean): Departure['ask'] {
  const known = new Map<string, LookedUp>()
  return async (about, look) => {
    const unanswered = goesUnasked ? undefined : known.values().find((one) => one.kind === 'unknown' && one.mayPass)
    const found = known.get(about) ?? unanswered ?? (await look())
    known.set(about, found)
    return found
  }
}
