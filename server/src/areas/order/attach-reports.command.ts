import { createHash } from 'node:crypto'
import type { Caller } from '../../access/caller.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { listAttachments } from '../attachments/attachment.sql.ts'
import {
  enterUnderName,
  renameEnded,
  storeAttachmentBody,
  takeAttachmentAway,
} from '../attachments/store-attachment.command.ts'
import type { StoredBody } from '../ingest/store-body.ts'
import { findHoldOnRecord } from '../storage/hold.sql.ts'
import { safeFilename } from '../storage/safe-filename.ts'
import { staticAttachmentId } from '../storage/static-ids.ts'
import { versionOf } from '../storage/version-of.ts'
import { followMerges } from './change-patient-of-orders.command.ts'
import type { OrderPlace } from './order-message.sql.ts'
import { demandRoom, holdReport } from './hold-report.command.ts'
import { type ExamName, listExamsOfOrders, lockReportedExams, type ReportedExam } from './reported-exam.sql.ts'
import { listExamsGivenTo, removeReplaced } from './replace-reports.command.ts'
import { demandSamePatient } from './same-patient.policy.ts'
import { MessageRefused, type OrderSender, type SentDocument, type SentPatient, type SentReport } from './sent-order.ts'

/** A report whose documents are on disk. */
export interface ReportOnDisk extends Omit<SentReport, 'documents'> {
  stored: readonly (SentDocument & { body: StoredBody })[]
}

/** Documents of one report, of each kind; a report of more is refused where it is read. */
export const mostDocuments = 10

/** Documents of each kind under one number, of all parts of a message together, that a later message takes away again. */
const mostNumbers = 100

/** Writes the documents of reports into the store of a place. @throws StorageError; nothing is kept then */
export async function storeReports(
  services: Pick<Services, 'config' | 'store' | 'log'>,
  { accountUuid, namespaceUuid }: Pick<OrderPlace, 'accountUuid' | 'namespaceUuid'>,
  reports: readonly SentReport[],
): Promise<ReportOnDisk[]> {
  const place = { account_uuid: accountUuid, phi_namespace: namespaceUuid }
  const written: StoredBody[] = []
  const store = async ({ ending, bytes }: SentDocument) => {
    const body = await storeAttachmentBody(services, place, once(bytes))
    written.push(body)
    return { ending, bytes, body }
  }
  try {
    const stored: ReportOnDisk[] = []
    for (const { documents, ...report } of reports) {
      const bodies = []
      for (const document of documents) bodies.push(await store(document))
      stored.push({ ...report, stored: bodies })
    }
    return stored
  } catch (error) {
    await Promise.all(written.map((body) => body.discard()))
    throw error
  }
}

/**
 * Attaches reports to the exams that they are about; one under the number of an earlier report takes its place, and what
 * is withdrawn goes, or is named so where a hold keeps the exam. Earlier versions of a document stay in its list of versions. A report whose exam is not here yet is
 * held, and so is one that its exam does not take where the message replaces a report that waits.
 * @returns the keys of the objects that are listed now, and how many reports wait
 * @throws MessageRefused where an exam could be of another patient, too many reports wait already, or nothing is there that
 *   could be withdrawn
 */
export async function attachReports(
  tx: Tx,
  place: OrderPlace,
  sender: OrderSender,
  patient: SentPatient,
  reports: readonly ReportOnDisk[],
): Promise<{ needed: Set<string>; held: number }> {
  const ending = new Set<ReportOnDisk>()
  for (const report of reports) {
    if ((await removeReplaced(tx, place, sender, patient, report)) > 0) ending.add(report)
  }
  // refusing the message would bring back what the message replaced, to be attached later as if it still held
  const isTaken = ending.size > 0
  const needed = new Set<string>()
  const found = new Map<string, { exam: ReportedExam; report: ReportOnDisk }>()
  const waiting = new Map<string, { report: ReportOnDisk; reason: string; hasEnded: boolean }>()
  for (const report of reports) {
    const { exams, reason } = await findTaking(tx, place, sender, patient, report, isTaken)
    for (const exam of exams) {
      const key = `${exam.uuid} ${report.number}`
      const before = found.get(key)?.report
      found.set(key, { exam, report: before ? joined(before, report) : report })
    }
    if (exams.length > 0) continue
    const key = JSON.stringify([report.number, report.study_uid, report.accession_number])
    const before = waiting.get(key)
    const hasEnded = ending.has(report) || before?.hasEnded === true
    waiting.set(key, { report: before ? joined(before.report, report) : report, reason, hasEnded })
  }
  for (const { exam, report } of found.values()) {
    for (const key of await attachReport(tx, sender, exam, report)) needed.add(key)
  }
  let held = 0
  for (const { report, reason, hasEnded } of waiting.values()) {
    // an exam that does not take a withdrawal may hold what is withdrawn
    if (report.status !== 'withdrawn' || (reason !== '' && !hasEnded)) {
      await holdReport(tx, place, sender, patient, { ...report, documents: report.stored }, reason)
      held += 1
    } else if (!isTaken) {
      throw new MessageRefused('unknown-exam', 'There is no exam that this report is about')
    }
  }
  if (held > 0) await demandRoom(tx, place)
  return { needed, held }
}

/** The exams of a report, or why those here do not take it. @throws MessageRefused unless the message is taken anyway */
async function findTaking(
  tx: Tx,
  place: OrderPlace,
  sender: OrderSender,
  patient: SentPatient,
  report: ReportOnDisk,
  isTaken: boolean,
): Promise<{ exams: ReportedExam[]; reason: string }> {
  try {
    const exams = await findReportedExams(tx, place, sender, patient, report)
    const isWhole = exams.length > 0 || report.status === 'withdrawn'
    return { exams, reason: isWhole ? '' : await findOtherExam(tx, place, report) }
  } catch (error) {
    if (!isTaken || !(error instanceof MessageRefused)) throw error
    return { exams: [], reason: error.message }
  }
}

/** Two parts of a message under one number are one report. */
function joined(one: ReportOnDisk, other: ReportOnDisk): ReportOnDisk {
  if (one.status === 'withdrawn') return other
  return other.status === 'withdrawn' ? one : { ...other, stored: [...one.stored, ...other.stored] }
}

/**
 * The exams that a report is about, each of the same patient: those that it names, and those that earlier versions were
 * given to by hand. None while they are not here.
 * @throws MessageRefused
 */
export async function findReportedExams(
  tx: Tx,
  place: OrderPlace,
  sender: OrderSender,
  patient: SentPatient,
  report: Pick<SentReport, 'number' | 'study_uid' | 'accession_number' | 'order_numbers'>,
): Promise<ReportedExam[]> {
  const { namespaceUuid } = place
  const given = { uuids: await listExamsGivenTo(tx, place, sender, patient, report) }
  const exams = await lockReportedExams(tx, namespaceUuid, await nameOfExam(tx, namespaceUuid, report), given)
  await demandTaking(tx, place, patient, exams)
  return exams
}

/** Makes sure that exams are of the patient whom a report names, and of nobody else. @throws MessageRefused */
export async function demandTaking(
  tx: Tx,
  place: OrderPlace,
  patient: SentPatient,
  exams: readonly ReportedExam[],
): Promise<void> {
  for (const exam of exams) {
    // the images keep a number that ended in another
    const inUse = await followMerges(tx, place, {
      patientid: exam.patientid,
      issuer: exam.issuer || patient.issuer,
    })
    demandSamePatient(place.ownNames, { ...exam, ...inUse }, patient, 'exam')
    if (exam.mixed_patients) {
      throw new MessageRefused('several-patients', 'The images of this exam name several patients')
    }
  }
}

/** Why no exam is there though the accession number of a report fits one; empty where it fits none. */
export async function findOtherExam(
  tx: Tx,
  { namespaceUuid }: OrderPlace,
  { study_uid, accession_number }: Pick<SentReport, 'study_uid' | 'accession_number'>,
): Promise<string> {
  if (!study_uid || !accession_number) return ''
  const exams = await lockReportedExams(tx, namespaceUuid, { accession_numbers: [accession_number] })
  return exams.length > 0 ? 'The exam with this accession number has another study UID' : ''
}

async function nameOfExam(
  tx: Tx,
  namespaceUuid: string,
  report: Pick<SentReport, 'study_uid' | 'accession_number' | 'order_numbers'>,
): Promise<ExamName> {
  if (report.study_uid) return { study_uid: report.study_uid }
  if (report.accession_number) return { accession_numbers: [report.accession_number] }
  const ordered = await listExamsOfOrders(tx, namespaceUuid, report.order_numbers)
  const known = ordered.map((one) => one.accession_number)
  return { accession_numbers: known.length > 0 ? known : report.order_numbers }
}

/**
 * Attaches one report to an exam that takes it.
 * @param actor the person who gave it; without one the installation acted
 * @returns the keys of the objects that are listed now
 */
export async function attachReport(
  tx: Tx,
  sender: OrderSender,
  exam: ReportedExam,
  report: ReportOnDisk,
  actor?: Caller,
): Promise<readonly string[]> {
  const detail = { report: report.status, calling_ae: sender.sender, control_id: sender.controlId }
  const here = await listAttachments(tx, exam.phi_namespace, exam.uuid)
  const attached: string[] = []
  const needed: string[] = []
  for (const [at, { ending, body }] of report.status === 'withdrawn' ? [] : report.stored.entries()) {
    const id = idOf(sender, exam, report, ending, numberOf(report, at))
    attached.push(id)
    // of the message too: a report that goes back to an earlier text is a new version
    const version = versionOf(sha256(`${body.sha256} ${report.status} ${sender.digest.toString('hex')}`))
    const filename = nameOf(exam, report, ending, numberOf(report, at))
    // the same message once more may meet what it brought, named withdrawn under a hold
    const entered = await enterUnderName(tx, actor, exam, { id, version, filename, body }, detail)
    if (entered.isNeeded) needed.push(body.objectKey)
  }
  // what the report held before and holds no more must not stand beside it
  const gone = new Set(idsOf(sender, exam, report).filter((id) => !attached.includes(id)))
  const ending = here.filter(({ id }) => gone.has(id))
  const hold = ending.length > 0 ? await findHoldOnRecord(tx, exam) : undefined
  for (const one of ending) {
    if (!hold) await takeAttachmentAway(tx, actor, exam, one, detail)
    else await renameEnded(tx, actor, exam, { ...one, filename: endedName(one.filename, report) }, { ...detail, hold })
  }
  return needed
}

/** The name of a document that its report holds no more and a hold keeps: lists, downloads and mails show names alone. */
function endedName(filename: string, { status }: Pick<ReportOnDisk, 'status'>): string {
  const [, name = filename, ending = ''] = /^(.*?)(?: \((?:replaced|withdrawn)\))?(\.[^.]+)?$/.exec(filename) ?? []
  return safeFilename(`${name} (${status === 'withdrawn' ? 'withdrawn' : 'replaced'})${ending}`)
}

/** The number of a document among those of its kind in a report, from 1. */
function numberOf({ stored }: ReportOnDisk, at: number): number {
  return stored.slice(0, at + 1).filter(({ ending }) => ending === stored[at]?.ending).length
}

/** The ids of all documents that a report may have had. */
function idsOf(sender: OrderSender, exam: ReportedExam, report: ReportOnDisk): string[] {
  const numbers = Array.from({ length: mostNumbers }, (_, at) => at + 1)
  return (['pdf', 'txt'] as const).flatMap((ending) =>
    numbers.map((number) => idOf(sender, exam, report, ending, number)),
  )
}

function idOf(
  { sender }: OrderSender,
  exam: ReportedExam,
  report: ReportOnDisk,
  ending: string,
  number: number,
): string {
  return staticAttachmentId(exam, `report ${sender} ${report.number} ${ending} ${number}`)
}

function nameOf(exam: ReportedExam, { number: own, status }: ReportOnDisk, ending: string, number: number): string {
  const count = number > 1 ? ` ${number}` : ''
  return safeFilename(`Report ${exam.accession_number || own} ${status}${count}.${ending}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
