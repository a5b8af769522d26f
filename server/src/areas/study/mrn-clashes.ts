import { maxMrnHolders } from '@hilum/contract/calls/study-mrn'
import type { HeldMrn, MrnHolder } from '@hilum/contract/entities/mrn-holder'
import type { OwnNames } from '@hilum/dicom/authority'
import { findMrnClash, type MrnClash } from '@hilum/dicom/identity-mrn'
import type { Caller } from '../../access/caller.ts'
import { visibleStudies } from '../../access/study-scope.ts'
import { hiddenFields } from './field-access.policy.ts'
import type { HolderRow } from './mrn-holders.sql.ts'
import { asIdentity, type ComparedPatient } from '../storage/compared-patient.ts'

/** Another person's record under the same MRN, and what the comparison says of both. */
export interface Clash {
  holder: HolderRow
  found: MrnClash
}

/** Records of other people under the MRN of this one, by the names of the account's authority; `study` is the patient's own. */
export function findClashes(
  ownNames: OwnNames,
  patient: ComparedPatient,
  holders: readonly HolderRow[],
  study?: { uuid: string; study_uid: string },
): Clash[] {
  return holders.flatMap((holder) => {
    if (study && (holder.uuid === study.uuid || isSameStudy(patient, holder, study))) return []
    const found = findMrnClash(asIdentity(patient, ownNames), asIdentity(holder, ownNames))
    return found ? [{ holder, found }] : []
  })
}

/** The same study in another namespace, of the patient that stands here too. */
function isSameStudy(patient: ComparedPatient, holder: HolderRow, study: { study_uid: string }): boolean {
  const isSame = (field: keyof ComparedPatient) => patient[field] === holder[field]
  return (
    holder.study_uid === study.study_uid &&
    (['patient_name', 'patient_birth_date', 'patient_sex'] as const).every(isSame)
  )
}

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
