import { maxMrnHolders } from '@hilum/contract/calls/study-mrn'
import type { HeldMrn, MrnHolder } from '@hilum/contract/entities/mrn-holder'
import type { Caller } from '../../access/caller.ts'
import { visibleStudies } from '../../access/study-scope.ts'
import { hiddenFields } from './field-access.policy.ts'
import type { Clash } from '../altered/find-clashes.ts'
import type { HolderRow } from '../altered/mrn-holders.sql.ts'
import { asIdentity } from '../storage/compared-patient.ts'

const comparedFields = ['patient_name', 'patientid', 'patient_birth_date', 'patient_sex']

/**
 * People under the same MRN, as far as a caller may be told: each by name where the caller may see a study of theirs,
 * of all others only that somebody is there.
 */
export async function presentClashes(caller: Caller, patientid: string, clashes: readonly Clash[]): Promise<HeldMrn> {
  const mayName = await nameableBy(caller)
  const mayTell = ({ holder }: Clash) => mayName(holder)
  const people = Map.groupBy(clashes.filter(mayTell), ({ holder }) => JSON.stringify(asIdentity(holder)))
  const [different, likely] = ['different', 'likely'].map((verdict) =>
    [...people.values()].map(presentHolder).filter((one) => one.verdict === verdict),
  ) as [MrnHolder[], MrnHolder[]] // one for each verdict
  // of many, those that are plainly other people are named
  const holders = [...different, ...likely]
  return {
    patientid,
    holders: holders.slice(0, maxMrnHolders),
    elsewhere: clashes.every(mayTell) ? 0 : 1,
    more: Math.max(0, holders.length - maxMrnHolders),
  }
}

/** Decides for each record whether a caller may be told the patient's name. */
export async function nameableBy(caller: Caller): Promise<(holder: HolderRow) => boolean> {
  const scope = await visibleStudies(caller)
  const open = new Set(
    scope.namespaces
      .filter(({ fieldFlags }) => !hiddenFields(fieldFlags).some((field) => comparedFields.includes(field)))
      .map((one) => one.namespaceUuid),
  )
  return (holder) =>
    open.has(holder.phi_namespace) &&
    !holder.is_announced &&
    (!holder.must_approve || scope.approving.has(holder.phi_namespace))
}

function presentHolder(studies: readonly Clash[]): MrnHolder {
  const [{ holder, found }] = studies as [Clash]
  return {
    study_uuid: holder.uuid,
    study_count: studies.length,
    patient_name: holder.patient_name,
    patient_birth_date: holder.patient_birth_date,
    patient_sex: holder.patient_sex,
    issuer: holder.issuer,
    verdict: found.verdict,
    reasons: found.reasons,
  }
}
