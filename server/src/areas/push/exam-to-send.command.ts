import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { withAccessions } from '../altered/outgoing-accessions.ts'
import { findOutgoingRecord, type OutgoingRecord } from '../altered/outgoing-record.sql.ts'
import type { DestinationRow } from '../destination/destination.sql.ts'
import { wordOfTwo } from '../nomination/confirmed-by-two.command.ts'
import { asIdentity } from '../storage/compared-patient.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import type { LookedUp } from './ask-destination.command.ts'
import { findForeignIssuer } from './foreign-mrn.ts'
import { findHeldMrn } from './held-mrn.ts'
import { findLackOfNomination } from './lack-of-nomination.ts'
import { lacksMrn } from './lacks-mrn.ts'
import { lookUpPatient } from './look-up-patient.command.ts'
import { lookUpStudy } from './look-up-study.command.ts'
import { findFaultOfMore, findFaultOfPush, type OrderFault } from './order-fault.command.ts'
import { findContent } from './push.sql.ts'
import { questionOf } from './question-of-push.ts'
import { sentAsOf } from '../altered/sent-as.ts'

/**
 * Reasons why an exam does not leave for a destination as it is; `words` tell people more, without patient data. `asked`:
 * questions that the reason of a person answers.
 */
export type Obstacle =
  | {
      kind: 'gone' | 'empty' | 'mixed' | 'rejected' | 'unnominated' | 'unreadable' | 'changed' | 'departing'
    }
  | { kind: 'secondPerson'; word: 'missing' | 'changed' }
  | { kind: 'foreign'; issuer: string }
  | { kind: 'order'; fault: OrderFault }
  | { kind: 'withoutMrn' | 'formerPatient'; asked: string[] }
  | { kind: 'mrnHeld'; words: string; isHere: boolean; asked: string[] }
  | { kind: 'otherPatient'; words: string }
  | { kind: 'notChecked'; about: 'exam' | 'mrn'; words: string; mayPass: boolean }

/** Stops an exam from leaving; each door tells the obstacle in its own words. */
export class HeldBackError extends Error {
  readonly obstacle: Obstacle
  constructor(obstacle: Obstacle) {
    super(`held back: ${obstacle.kind}`)
    this.obstacle = obstacle
  }
}

/** Where an exam is to leave for, and what is known of it there. */
export interface Departure {
  destination: DestinationRow
  /** Versions of the images that left for it before by the same push. */
  sent: readonly string[]
  /** Digest of the patient and accession number of images that left for it earlier. */
  formerAs: Buffer | null
  /** Digests of the questions that a person answered with a reason. */
  answered: readonly string[]
  /** A destination that cannot be asked gets the exam all the same. */
  goesUnasked: boolean
  signal: AbortSignal
  /** Asks the destination, or knows its answer by now. */
  ask: (about: string, look: () => Promise<LookedUp>) => Promise<LookedUp>
}

/** An exam at one moment. */
export interface ExamToSend {
  record: StudyRecord
  content: string
  images: StoredInstance[]
  outgoing: OutgoingRecord
}

/**
 * Reads an exam that may leave by all that is known here. The images are listed before the patient is asked for: one of
 * another patient that comes meanwhile is not among them, or is told of.
 * @param demand what a door wants besides, in the same transaction, so that nobody changes the patient in between
 * @throws HeldBackError
 */
export async function readExamToSend(
  services: Services,
  record: StudyRecord,
  departure: Pick<Departure, 'destination' | 'sent' | 'answered'>,
  list: () => Promise<StoredInstance[]>,
  demand?: (tx: Tx, exam: ExamToSend, isConfirmedByTwo: boolean) => Promise<void>,
): Promise<ExamToSend> {
  const { destination, sent, answered } = departure
  const content = await findContent(services.db, record.phi_namespace, record.uuid)
  const images = await withAccessions(services, record, await list())
  if (images.length === 0) throw new HeldBackError({ kind: 'empty' })
  return services.db.transaction().execute(async (tx) => {
    const outgoing = await findOutgoingRecord(tx, record.phi_namespace, record.uuid)
    if (!outgoing) throw new HeldBackError({ kind: 'gone' })
    if (outgoing.mixed_patients) throw new HeldBackError({ kind: 'mixed' })
    const lack = await findLackOfNomination(tx, record)
    if (lack) throw new HeldBackError({ kind: lack })
    const word = await wordOfTwo(tx, record, destination.uuid)
    if (word === 'missing' || word === 'changed') throw new HeldBackError({ kind: 'secondPerson', word })
    const exam = { record, content, images, outgoing }
    await demand?.(tx, exam, word === 'given')
    const issuer = await findForeignIssuer(tx, destination, record, outgoing)
    if (issuer !== undefined) throw new HeldBackError({ kind: 'foreign', issuer })
    const push = { ...record, study_uuid: record.uuid, sent }
    // an exam of which images have left does not stay there in part
    const findFault = sent.length === 0 ? findFaultOfPush : findFaultOfMore
    const fault = await findFault(tx, push, outgoing, images)
    if (fault) throw new HeldBackError({ kind: 'order', fault })
    // archives file all exams without an MRN as one patient
    if (await lacksMrn(tx, record, outgoing))
      demandAnswers(answered, [questionOf('withoutMrn', outgoing)], 'withoutMrn')
    return exam
  })
}

/**
 * Asks a destination for an exam and for its MRN, where it can be asked, so that nothing comes to lie beside somebody else.
 * @returns words about a question that the exam goes without
 * @throws HeldBackError; what ends the work, when `signal` is aborted
 */
export async function askDestinationAbout(
  services: Services,
  exam: ExamToSend,
  departure: Departure,
): Promise<Unasked> {
  const ofExam = await askForExam(services, exam, departure)
  // whatever the destination said of the exam: the MRN may be another patient's here, too
  const ofMrn = await askForMrn(services, exam, departure)
  return ofExam ?? ofMrn
}

type Unasked = { about: 'exam' | 'mrn'; words: string } | undefined

/** @throws HeldBackError where the exam is another one than `before` by its patient or accession number */
export function demandUnchangedPatient(before: ExamToSend, now: ExamToSend): void {
  if (!sentAsOf(now.outgoing).equals(sentAsOf(before.outgoing))) throw new HeldBackError({ kind: 'changed' })
}

async function askForExam(
  services: Services,
  { record, outgoing }: ExamToSend,
  { destination, formerAs, answered, goesUnasked, signal, ask }: Departure,
): Promise<Unasked> {
  const study = { ...outgoing, study_uid: record.study_uid }
  const found = await ask(record.study_uid, () => lookUpStudy(services, destination, study, signal))
  if (found.kind === 'free') return undefined
  if (found.kind === 'other') throw new HeldBackError({ kind: 'otherPatient', words: found.words })
  if (!goesUnasked) throw new HeldBackError({ ...found, kind: 'notChecked', about: 'exam' })
  // images of an exam do not come to lie under two patients unseen
  if (formerAs !== null && !formerAs.equals(sentAsOf(outgoing)))
    demandAnswers(answered, [questionOf('formerPatient', outgoing, formerAs.toString('hex'))], 'formerPatient')
  return { about: 'exam', words: found.words }
}

async function askForMrn(
  services: Services,
  { record, outgoing }: ExamToSend,
  { destination, answered, goesUnasked, signal, ask }: Departure,
): Promise<Unasked> {
  const here = await findHeldMrn(services.db, record, outgoing)
  const patient = JSON.stringify(asIdentity(outgoing))
  const found = destination.can_search
    ? await ask(patient, () => lookUpPatient(services, destination, outgoing, signal))
    : ({ kind: 'free' } as const)
  const there = found.kind === 'other' ? found : undefined
  const asked = [
    ...(here?.people ?? []).map((one) => questionOf('mrnHere', outgoing, one)),
    ...(there?.people ?? []).map((one) => questionOf('mrnThere', outgoing, one)),
  ]
  // one reason answers both, so that whoever gives it has read both
  const words = [here, there].flatMap((one) => one?.words ?? []).join('. ')
  if (!isAnswered(answered, asked))
    throw new HeldBackError({ kind: 'mrnHeld', words, isHere: here !== undefined, asked })
  if (found.kind !== 'unknown') return undefined
  if (!goesUnasked) throw new HeldBackError({ ...found, kind: 'notChecked', about: 'mrn' })
  return { about: 'mrn', words: found.words }
}

const isAnswered = (answered: readonly string[], asked: readonly string[]) =>
  asked.every((one) => answered.includes(one))

/** @throws HeldBackError where a question waits for the reason of a person */
function demandAnswers(answered: readonly string[], asked: string[], kind: 'withoutMrn' | 'formerPatient'): void {
  if (!isAnswered(answered, asked)) throw new HeldBackError({ kind, asked })
}
