import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { lockStudyRow } from '../altered/locked-study.sql.ts'
import { findGateConfig } from './nomination-form.ts'
import { findPatientOfOrder, lockNominationAt } from './nomination.sql.ts'
import { outgoingVerdict, printOf, studyPrintLength, takesTwoPeople } from './second-person.policy.ts'

/**
 * Whether a study may go to a destination without anybody matching it now: again after two people sent it there just so,
 * or where its place wants no two.
 */
export async function isConfirmedByTwo(tx: Tx, record: StudyRecord, destinationUuid: string): Promise<boolean> {
  return ['notWanted', 'given'].includes(await wordOfTwo(tx, record, destinationUuid))
}

/** The word of two people that a study goes to a destination just so; `changed`: they gave it for the study as it was. */
export async function wordOfTwo(
  tx: Tx,
  record: StudyRecord,
  destinationUuid: string,
): Promise<'notWanted' | 'given' | 'changed' | 'missing'> {
  const config = await findGateConfig(tx, record.phi_namespace)
  // nobody knows whether two are wanted
  if (config === 'unreadable') return 'missing'
  if (config === undefined || config.risk_line === 'NONE') return 'notWanted'
  const nomination = await lockNominationAt(tx, record.uuid)
  const row = await lockStudyRow(tx, record.phi_namespace, record.uuid)
  const order = nomination?.order_uuid ? await findPatientOfOrder(tx, nomination.order_uuid) : undefined
  if (!row || !takesTwoPeople(config.risk_line, outgoingVerdict(row, order))) return 'notWanted'
  if (nomination?.state !== 'sent' || nomination.destination_uuid !== destinationUuid.toLowerCase()) return 'missing'
  const { asked_by: first, decided_by: second, asked_print: askedPrint } = nomination
  const print = printOf(row, destinationUuid.toLowerCase(), undefined, '').subarray(0, studyPrintLength)
  if (first === null || second === null || first === second || askedPrint === null) return 'missing'
  return askedPrint.subarray(0, studyPrintLength).equals(print) ? 'given' : 'changed'
}
