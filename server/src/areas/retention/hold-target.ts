import { maxReason } from '@hilum/contract/limits'
import type { ErrorCode, ErrorDetail } from '@hilum/contract/errors'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import { findRecordByUuid } from '../../access/study-record.sql.ts'
import type { Db } from '../../db/database.ts'
import { findPatients, type PatientKey } from './patient.sql.ts'

type Fail<Code extends ErrorCode> = (code: Code, detail?: ErrorDetail) => Error

interface Named {
  study_id?: string | undefined
  patientid?: string | undefined
  issuer?: string | undefined
}

/**
 * The exam or the patient of an account that a request names.
 * @throws what `fail` makes: INVALID_PARAMETERS unless one of both is named; NOT_FOUND where the account has none
 */
export async function findHoldTarget(
  db: Db,
  accountUuid: string,
  named: Named,
  fail: Fail<'INVALID_PARAMETERS' | 'NOT_FOUND'>,
): Promise<{ record: StudyRecord } | { patient: PatientKey }> {
  const { study_id: studyUuid, patientid, issuer = '' } = named
  if ((studyUuid === undefined) === (patientid === undefined)) throw fail('INVALID_PARAMETERS')
  if (studyUuid !== undefined) {
    const record = await findRecordByUuid(db, studyUuid)
    if (record?.account_uuid !== accountUuid) throw fail('NOT_FOUND', { subtype: 'study_id' })
    return { record }
  }
  // a hold on a number that nobody has would hold nobody, for instance where the number was mistyped
  const found = await findPatients(db, patientid ?? '')
  const patient = found.find((one) => one.account_uuid === accountUuid && one.issuer === issuer)
  if (!patient) throw fail('NOT_FOUND', { subtype: 'patientid' })
  return { patient }
}

/** @throws what `fail` makes, INVALID_VALUE, where the reason is blank or too long */
export function readRetentionReason(reason: string, fail: Fail<'INVALID_VALUE'>): string {
  const text = reason.trim()
  if (text === '' || text.length > maxReason) throw fail('INVALID_VALUE', { subtype: 'reason' })
  return text
}
