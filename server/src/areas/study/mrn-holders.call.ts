import type { studyMrnHolders } from '@hilum/contract/calls/study-mrn'
import type { Handler } from '../handler.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import { hiddenFields } from './field-access.policy.ts'
import { findClashes } from '../altered/find-clashes.ts'
import { presentClashes } from './mrn-clashes.ts'
import { listMrnHolders } from '../altered/mrn-holders.sql.ts'
import { findPatient } from './related.sql.ts'

export const mrnHolders: Handler<typeof studyMrnHolders> = async ({ services, caller, on, fail }) => {
  const patient = await findPatient(services.db, on.record)
  if (!patient) throw fail('NOT_FOUND')
  const hidden = hiddenFields(on.membership.fieldFlags)
  // the comparison would give away fields of the patient that a role may not see
  if (hidden.some((field) => Object.hasOwn(patient, field)))
    return { patientid: '', holders: [], elsewhere: 0, more: 0 }
  const holders = await listMrnHolders(services.db, on.record.account_uuid, [patient.patientid])
  const ownNames = await findOwnNames(services.db, on.record.account_uuid)
  return presentClashes(caller, patient.patientid, findClashes(ownNames, patient, holders, on.record))
}
