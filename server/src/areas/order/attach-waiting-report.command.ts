import type { Caller } from '../../access/caller.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import { attachReport, type ReportOnDisk, storeReports } from './attach-reports.command.ts'
import { followMerges } from './change-patient-of-orders.command.ts'
import { noteGiven } from './given-report.sql.ts'
import { lockOrdersOf, type OrderPlace } from './order-message.sql.ts'
import { removeReplaced, removeReport } from './replace-reports.command.ts'
import type { ReportedExam } from './reported-exam.sql.ts'
import { MessageRefused, type OrderSender, type SentPatient, type SentReport } from './sent-order.ts'
import { deleteWaitingReport, type HeldReport, listWaitingDocuments, lockWaitingReport } from './waiting-report.sql.ts'

export type HeldName = Pick<HeldReport, 'uuid' | 'account_uuid' | 'namespace_uuid'>

/** A waiting report with its place, sender and patient. */
interface HeldOpen {
  held: HeldReport
  place: OrderPlace
  sender: OrderSender
  patient: SentPatient
  report: SentReport
}

interface Attaching {
  /** The exams that take the report, locked; asked twice. @throws MessageRefused */
  findExams: (tx: Tx, opened: HeldOpen) => Promise<ReportedExam[]>
  /** The person who gives the report to an exam; without one the installation acts. */
  actor?: Caller
}

/**
 * Attaches a waiting report to its exams and removes it from those that wait, with the earlier ones of its number.
 * @throws MessageRefused, StorageError; the report waits on then
 */
export async function attachWaitingReport(
  services: Services,
  waiting: HeldName,
  attaching: Attaching,
): Promise<'attached' | 'no-exam'> {
  // asked before any byte is written: an exam of another patient stays there for days
  const report = await services.db.transaction().execute((tx) => findTakenReport(tx, waiting, attaching))
  return report ? attach(services, waiting, attaching, report) : 'no-exam'
}

/** A report that its exam takes; undefined where report or exam is gone. @throws MessageRefused */
async function findTakenReport(tx: Tx, waiting: HeldName, { findExams }: Attaching): Promise<SentReport | undefined> {
  const opened = await open(tx, waiting)
  if (!opened || (await findExams(tx, opened)).length === 0) return undefined
  return { ...opened.report, documents: await listWaitingDocuments(tx, waiting.uuid) }
}

async function attach(
  services: Services,
  waiting: HeldName,
  attaching: Attaching,
  report: SentReport,
): Promise<'attached' | 'no-exam'> {
  const { account_uuid: accountUuid, namespace_uuid: namespaceUuid } = waiting
  const onDisk = await storeReports(services, { accountUuid, namespaceUuid }, [report])
  const bodies = onDisk.flatMap(({ stored }) => stored.map(({ body }) => body))
  let needed = new Set<string>()
  const discard = async () => {
    await Promise.all(bodies.filter(({ objectKey }) => !needed.has(objectKey)).map((body) => body.discard()))
  }
  try {
    const attached = await services.db.transaction().execute(async (tx) => {
      const opened = await open(tx, waiting)
      return opened && attachOpened(tx, opened, onDisk, attaching)
    })
    if (attached) needed = attached
    await discard()
    services.events.ring()
    return attached ? 'attached' : 'no-exam'
  } catch (error) {
    if (error instanceof MessageRefused) {
      needed.clear()
      await discard()
    }
    throw error
  }
}

/** @returns the keys of the objects that are listed now; undefined where the exam is gone again */
async function attachOpened(
  tx: Tx,
  opened: HeldOpen,
  onDisk: readonly ReportOnDisk[],
  { findExams, actor }: Attaching,
): Promise<Set<string> | undefined> {
  const { place, sender, patient, report, held } = opened
  const exams = await findExams(tx, opened)
  if (exams.length === 0) return undefined
  await removeReplaced(tx, place, sender, patient, report, held.uuid)
  if (actor) {
    await removeReport(tx, actor, held, { attached_to: exams.map((exam) => exam.uuid).join(' ') })
    for (const exam of exams) await noteGiven(tx, held, exam.uuid)
  } else await deleteWaitingReport(tx, held.uuid)
  const needed = new Set<string>()
  for (const exam of exams) {
    for (const one of onDisk) for (const key of await attachReport(tx, sender, exam, one, actor)) needed.add(key)
  }
  return needed
}

/** The report, locked together with the messages of its place. */
async function open(tx: Tx, { uuid, namespace_uuid }: HeldName): Promise<HeldOpen | undefined> {
  await lockOrdersOf(tx, namespace_uuid)
  const held = await lockWaitingReport(tx, uuid)
  if (!held) return undefined
  const place = {
    namespaceUuid: held.namespace_uuid,
    accountUuid: held.account_uuid,
    ownNames: await findOwnNames(tx, held.account_uuid),
    senders: null,
  }
  return {
    held,
    place,
    sender: senderOf(held),
    patient: await followMerges(tx, place, patientOf(held)),
    report: reportOf(held),
  }
}

function senderOf({ sender, control_id, digest, type, address }: HeldReport): OrderSender {
  return { sender, controlId: control_id, digest, type, address }
}

function patientOf({ patientid, issuer, patient_name, patient_birth_date, patient_sex }: HeldReport): SentPatient {
  return { patientid, issuer, patient_name, patient_birth_date, patient_sex }
}

function reportOf({ number, status, study_uid, accession_number, order_numbers }: HeldReport): SentReport {
  return {
    number,
    status,
    study_uid: study_uid || undefined,
    accession_number: accession_number || undefined,
    order_numbers,
    documents: [],
  }
}
