import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import {
  attachReport,
  findOtherExam,
  findReportedExams,
  type ReportOnDisk,
  storeReports,
} from './attach-reports.command.ts'
import { followMerges } from './change-patient-of-orders.command.ts'
import { lockOrdersOf, type OrderPlace } from './order-message.sql.ts'
import { removeReplaced } from './replace-reports.command.ts'
import { MessageRefused, type OrderSender, type SentPatient, type SentReport } from './sent-order.ts'
import {
  deleteWaitingReport,
  type HeldReport,
  listComeReports,
  listWaitingDocuments,
  lockWaitingReport,
  noteTried,
} from './waiting-report.sql.ts'

/** Reports that are looked at in one run; the next run goes on with others. */
const mostTried = 200

/**
 * Attaches reports whose exams have come meanwhile, by whichever way: images, a share, a correction of the accession
 * number, an order. A report that its exam does not take, or that cannot be stored, stays, with the reason.
 * @throws the first failure, when all were tried
 */
export async function attachWaitingReports(services: Services): Promise<void> {
  const failures: unknown[] = []
  for (const one of await listComeReports(services.db, mostTried)) {
    try {
      await attachWaiting(services, one)
    } catch (error) {
      // the others are not kept from their exams, and whoever watches the work learns of it
      await noteTried(services.db, one.uuid, 'The report could not be stored')
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

type Waiting = Pick<HeldReport, 'uuid' | 'account_uuid' | 'namespace_uuid'>

async function attachWaiting(services: Services, waiting: Waiting): Promise<void> {
  try {
    // asked before any byte is written: an exam of another patient stays there for days
    const report = await services.db.transaction().execute((tx) => findTakenReport(tx, waiting))
    if (report) await attach(services, waiting, report)
  } catch (error) {
    if (!(error instanceof MessageRefused)) throw error
    await noteTried(services.db, waiting.uuid, error.message)
  }
}

interface Opened {
  place: OrderPlace
  sender: OrderSender
  patient: SentPatient
  report: SentReport
}

/** A report that its exam takes; undefined where report or exam is gone. @throws MessageRefused */
async function findTakenReport(tx: Tx, waiting: Waiting): Promise<SentReport | undefined> {
  const opened = await open(tx, waiting)
  if (!opened) return undefined
  const exams = await findReportedExams(tx, opened.place, opened.patient, opened.report)
  if (exams.length === 0) {
    await noteTried(tx, waiting.uuid, await findOtherExam(tx, opened.place, opened.report))
    return undefined
  }
  return { ...opened.report, documents: await listWaitingDocuments(tx, waiting.uuid) }
}

async function attach(services: Services, waiting: Waiting, report: SentReport): Promise<void> {
  const { account_uuid: accountUuid, namespace_uuid: namespaceUuid } = waiting
  const onDisk = await storeReports(services, { accountUuid, namespaceUuid }, [report])
  const bodies = onDisk.flatMap(({ stored }) => stored.map(({ body }) => body))
  let needed = new Set<string>()
  const discard = async () => {
    await Promise.all(bodies.filter(({ objectKey }) => !needed.has(objectKey)).map((body) => body.discard()))
  }
  try {
    await services.db.transaction().execute(async (tx) => {
      const opened = await open(tx, waiting)
      if (opened) needed = await attachOpened(tx, waiting, opened, onDisk)
    })
    await discard()
    services.events.ring()
  } catch (error) {
    if (error instanceof MessageRefused) {
      needed.clear()
      await discard()
    }
    throw error
  }
}

/** @returns the keys of the objects that are listed now; none where the exam is gone again */
async function attachOpened(
  tx: Tx,
  { uuid }: Waiting,
  { place, sender, patient, report }: Opened,
  onDisk: readonly ReportOnDisk[],
): Promise<Set<string>> {
  const needed = new Set<string>()
  const exams = await findReportedExams(tx, place, patient, report)
  if (exams.length === 0) return needed
  await removeReplaced(tx, place, sender, patient, report, uuid)
  await deleteWaitingReport(tx, uuid)
  for (const exam of exams) {
    for (const one of onDisk) for (const key of await attachReport(tx, sender, exam, one)) needed.add(key)
  }
  return needed
}

/** The report, locked together with the messages of its place. */
async function open(tx: Tx, { uuid, namespace_uuid }: Waiting): Promise<Opened | undefined> {
  await lockOrdersOf(tx, namespace_uuid)
  const held = await lockWaitingReport(tx, uuid)
  if (!held) return undefined
  const place = {
    namespaceUuid: held.namespace_uuid,
    accountUuid: held.account_uuid,
    accountIssuer: held.account_issuer,
    senders: null,
  }
  return {
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
