import { join } from 'node:path'
import type { Caller } from '../../access/caller.ts'
import { findRecordByUuid } from '../../access/study-record.sql.ts'
import type { Config } from '../../config.ts'
import type { Database, Tx } from '../../db/database.ts'
import { makeExportFolder, writeExportFile } from '../../outbound/files/export-folder.ts'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import { writeAudit, writeStudyAudit } from '../audit/audit.sql.ts'
import { eraseAuditDetails, erasureAction } from '../audit/erase.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { endGeneration } from '../ingest/generation.sql.ts'
import { lockNominationToDelete, rejectDeleted } from '../nomination/deleted-nomination.command.ts'
import { lockNominated } from '../nomination/nomination.sql.ts'
import { listWaitingDocuments } from '../order/waiting-report.sql.ts'
import { deleteReportsOfAccount } from '../report/report.sql.ts'
import { lockStoredStudy } from '../storage/ingest.sql.ts'
import { forgetMetadata } from '../storage/metadata-place.ts'
import { listSources } from '../storage/record-images.sql.ts'
import { findHoldOn } from '../storage/hold.sql.ts'
import { removeRecord } from './delete-record.command.ts'
import {
  addPatientHold,
  endPatientHold,
  eraseCopyKeys,
  eraseOriginals,
  eraseExpected,
  eraseOrders,
  forgetDeletedImages,
  isPatientHeld,
  listDetailedAudit,
  listPatientObjects,
  listPatientRecords,
  listRecordHistory,
  listStoredHere,
  lockToErase,
  type PatientKey,
  type PatientRecord,
} from './patient.sql.ts'
import { eraseReports, listPatientReports } from './patient-reports.sql.ts'
import { eraseFilledIn } from './patient-uploads.sql.ts'
import { forgetGoneRecords, purgeStoredStudy } from './purge.sql.ts'

/** The person at the terminal of the machine, with the installation. */
export interface PatientOperator {
  db: Database
  config: Pick<Config, 'dataFolder'>
  store: Pick<ObjectStore, 'stream'>
  machineUser: string
}

interface Erased {
  erased: PatientRecord[]
  /** Exams that something keeps, with the cause. */
  staying: { record: PatientRecord; bar: string }[]
  orders: number
  reports: number
  expected: number
}

/**
 * Removes a patient's exams for good, each in a transaction of its own: rows at once, bytes that nobody else shows by the
 * next nightly purge. The details of what is on record about an exam are emptied; that something was done, when and by
 * whom stays. Copies without names stay, the key to them goes. Exams that a hold, a retraction, a rule of retention or another patient's images keep stay whole. Orders and
 * expected patients go when no exam stays and no hold is on the patient.
 * @param records those that the operator was shown; others of the patient, which came since, stay
 */
export async function erasePatient(
  operator: PatientOperator,
  key: PatientKey,
  records: readonly PatientRecord[],
  reason: string,
  now: Date,
): Promise<Erased> {
  const { db, config, machineUser } = operator
  const result: Erased = { erased: [], staying: [], orders: 0, reports: 0, expected: 0 }
  const by = { reason, by: 'operator', machine_user: machineUser }
  // the key that leads to a copy goes with the exam that the copy was made of, and a copy stays with an exam that stays
  const inOrder = [...records.filter((one) => one.copy_of), ...records.filter((one) => !one.copy_of)]
  for (const record of inOrder) {
    const barredWith = records.find((one) => one.uuid === record.copy_of && one.bar !== '')
    if (barredWith) {
      result.staying.push({ record, bar: barredWith.bar })
      continue
    }
    const bar = await db.transaction().execute((tx) => eraseRecord(tx, key, record, by, now))
    if (bar === undefined) continue
    if (bar === '') {
      result.erased.push(record)
      await forgetMetadata({ config }, record)
    } else result.staying.push({ record, bar })
  }
  // in transactions of its own: whoever undoes a separation of another organisation holds it, and waits for the exams that show it
  await forgetGoneRecords(db)
  await db.transaction().execute(async (tx) => {
    const rest = await listPatientRecords(tx, key, now)
    if (rest.length === 0 && !(await isPatientHeld(tx, key))) {
      result.reports = await eraseReports(tx, key)
      result.orders = await eraseOrders(tx, key)
      result.expected = await eraseExpected(tx, key)
    }
    const counts = {
      exams: result.erased.length,
      kept: result.staying.length,
      orders: result.orders,
      reports: result.reports,
    }
    await writeAccountAudit(tx, key, 'PURGE', { ...counts, expected: result.expected, ...by })
  })
  return result
}

/** @returns why it stays; empty when it is erased, undefined when it was gone */
async function eraseRecord(
  tx: Tx,
  key: PatientKey,
  record: PatientRecord,
  by: Record<string, unknown>,
  now: Date,
): Promise<string | undefined> {
  const nomination = await lockNominationToDelete(tx, record)
  const sources = await listSources(tx, record)
  // as by arriving images, the stored studies are locked first
  const locked = []
  for (const source of await listStoredHere(tx, record))
    locked.push({ source, found: await lockStoredStudy(tx, source) })
  if (nomination) await lockNominated(tx, [nomination])
  const bar = await lockToErase(tx, key, record, now)
  if (bar !== '') return bar
  const hold = await findHoldOn(tx, sources)
  if (hold !== undefined) return hold
  const shown = nomination && (await findRecordByUuid(tx, record.uuid))
  if (shown) await rejectDeleted(tx, undefined, shown, nomination, undefined)
  await eraseOriginals(tx, record)
  await removeRecord(tx, record)
  await eraseFilledIn(tx, record)
  await deleteReportsOfAccount(tx, record.account_uuid)
  await eraseCopyKeys(tx, record)
  for (const { source, found } of locked) {
    if (found === undefined) continue
    if (source.storage_namespace === record.phi_namespace) await endGeneration(tx, source)
    // a stored study that any other record shows, here or elsewhere, stays
    await purgeStoredStudy(tx, source)
    await forgetDeletedImages(tx, found.key, source)
  }
  const ids = await eraseAuditDetails(tx, await listDetailedAudit(tx, record.uuid))
  if (ids.length > 0)
    await writeAccountAudit(tx, key, erasureAction, {
      audit_ids: ids.map(({ id }) => id).toSorted((a, b) => a - b),
      ...by,
    })
  await writeStudyAudit(tx, undefined, record, 'PURGE', { study_uid: record.study_uid, ...by })
  await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  return ''
}

/** Somebody who holds or reports a patient's data: an administrator on the screen, or the person at the terminal. */
export type RetentionActor = Pick<PatientOperator, 'db'> & ({ caller: Caller } | { machineUser: string })

/** Holds everything of a patient: nothing of it is deleted, purged or erased before the hold ends. */
export async function holdPatient(actor: RetentionActor, key: PatientKey, reason: string): Promise<void> {
  await actor.db.transaction().execute(async (tx) => {
    await addPatientHold(tx, key, reason, 'caller' in actor ? actor.caller.userUuid : undefined)
    await writeOnRecord(tx, actor, key, 'HOLD', { reason })
  })
}

/** @returns false when there was no hold */
export async function releasePatient(actor: RetentionActor, key: PatientKey, reason: string): Promise<boolean> {
  return actor.db.transaction().execute(async (tx) => {
    if (!(await endPatientHold(tx, key))) return false
    await writeOnRecord(tx, actor, key, 'HOLD_END', { reason })
    return true
  })
}

/**
 * Writes a patient's data into a folder: for each exam what is known of it, what is on record about it, and its images and
 * files as they are stored.
 * @returns how many files of exams there are, with their bytes
 */
export async function exportPatient(
  operator: PatientOperator,
  key: PatientKey,
  folder: string,
  now: Date,
): Promise<{ exams: number; files: number; bytes: number }> {
  const { db, store } = operator
  const records = await listPatientRecords(db, key, now)
  await makeExportFolder(folder)
  const result = { exams: records.length, files: 0, bytes: 0 }
  for (const record of records) {
    const place = join(folder, record.uuid)
    const { account_uuid: _, bar: __, elsewhere: ___, is_held: ____, hold_reason: _____, ...known } = record
    const history = await listRecordHistory(db, record.uuid)
    await writeExportFile(place, 'exam.json', `${JSON.stringify(known, undefined, 2)}\n`)
    await writeExportFile(
      place,
      'history.json',
      `${JSON.stringify(
        history.map(({ row }) => row),
        undefined,
        2,
      )}\n`,
    )
    for (const { path, object_key, byte_offset, length } of await listPatientObjects(db, record)) {
      await writeExportFile(place, path, store.stream(object_key, byte_offset, length))
      result.files += 1
      result.bytes += length
    }
  }
  for (const { uuid, known } of await listPatientReports(db, key)) {
    const place = join(folder, 'waiting-reports', uuid)
    await writeExportFile(place, 'report.json', `${JSON.stringify(known, undefined, 2)}\n`)
    for (const [at, { ending, bytes }] of (await listWaitingDocuments(db, uuid)).entries()) {
      await writeExportFile(place, `${at + 1}.${ending}`, bytes)
      result.files += 1
      result.bytes += bytes.length
    }
  }
  await notePatientReport(operator, key, records.length)
  return result
}

/** Puts on record that somebody was told what there is of a patient. */
export function notePatientReport(actor: RetentionActor, key: PatientKey, studies: number): Promise<void> {
  return writeOnRecord(actor.db, actor, key, 'ACCESS_REPORT', { studies })
}

function writeOnRecord(
  db: Database | Tx,
  actor: RetentionActor,
  key: PatientKey,
  action: 'HOLD' | 'HOLD_END' | 'ACCESS_REPORT',
  detail: Record<string, unknown>,
): Promise<void> {
  const about = { patientid: key.patientid, issuer: key.issuer, ...detail }
  return 'caller' in actor
    ? writeAccountAudit(db, key, action, about, actor.caller)
    : writeAccountAudit(db, key, action, { ...about, by: 'operator', machine_user: actor.machineUser })
}

function writeAccountAudit(
  db: Database | Tx,
  key: PatientKey,
  action: 'HOLD' | 'HOLD_END' | 'ACCESS_REPORT' | 'PURGE' | typeof erasureAction,
  detail: Record<string, unknown>,
  caller?: Caller,
): Promise<void> {
  return writeAudit(db, {
    accountUuid: key.account_uuid,
    caller,
    action,
    type: action === erasureAction ? 'Audit' : 'Account',
    objectUuid: key.account_uuid,
    detail,
  })
}
