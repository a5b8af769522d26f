import { ApiError } from '@hilum/contract/errors'
import type { FieldFlags } from '@hilum/contract/study-field-access'
import type { Db } from '../../db/database.ts'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { hiddenCustomFields, hiddenFields } from './field-access.policy.ts'

const patientFields = ['patient_name', 'patientid', 'patient_birth_date', 'patient_sex']

/** Names, in audited details, of the fields of studies that a role does not see. */
export async function findHiddenNames(db: Db, accountUuid: string, flags: FieldFlags): Promise<ReadonlySet<string>> {
  const definitions = await listDefinitions(db, [accountUuid], 'Study')
  const hidden = new Set([...hiddenFields(flags), ...hiddenCustomFields(flags, definitions).map(({ name }) => name)])
  // a reason names people and numbers
  if (hidden.has('patientid')) for (const name of ['mrn_held', 'mrn_of_all']) hidden.add(name)
  // kinds of differences tell of each of the fields
  if (patientFields.some((field) => hidden.has(field))) hidden.add('patient_confirmed')
  return hidden
}

/** Refuses to search by fields that a role does not see: the answer would tell. @throws ApiError NOT_PERMITTED */
export function demandShown(hidden: ReadonlySet<string>, fields: readonly string[]): void {
  const first = fields.find((field) => hidden.has(field))
  if (first) throw new ApiError('NOT_PERMITTED', { subtype: first })
}

/** Refuses to tell of patients by images to a role that does not see all of what names them. @throws ApiError NOT_PERMITTED */
export function demandPatientShown(flags: FieldFlags): void {
  demandShown(new Set(hiddenFields(flags)), patientFields)
}
