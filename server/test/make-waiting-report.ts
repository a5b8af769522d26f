import { randomUUID } from 'node:crypto'
import type { TestApp } from './test-app.ts'

/** A report by HL7 that waits for its exam in a place, without documents. @returns its uuid */
export async function makeWaitingReport(
  { query }: Pick<TestApp, 'query'>,
  { accountUuid, namespaceUuid }: { accountUuid: string; namespaceUuid: string },
  { patientid = '', name = 'DOE^JANE' } = {},
): Promise<string> {
  const uuid = randomUUID()
  await query(`insert into waiting_report (uuid, account_uuid, namespace_uuid, sender, control_id, digest, type, address,
      patientid, issuer, patient_name, patient_birth_date, patient_sex, number, status, study_uid, accession_number,
      order_numbers, bytes)
    values ('${uuid}', '${accountUuid}', '${namespaceUuid}', 'RIS', '1', '\\x00', 'ORU^R01', '127.0.0.1', '${patientid}', '',
      '${name}', '', '', '${uuid}', 'final', '', '', '{}', 0)`)
  return uuid
}
