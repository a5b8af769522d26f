import type { studyUploadPeople } from '@hilum/contract/calls/study-mrn'
import type { OtherPatientsStudy } from '@hilum/contract/entities/mrn-holder'
import { compareIdentities } from '@hilum/dicom/identity'
import type { Handler } from '../handler.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import { asIdentity, type ComparedPatient } from '../storage/compared-patient.ts'
import { findClashes } from '../altered/find-clashes.ts'
import { nameableBy, presentClashes } from './mrn-clashes.ts'
import { findOwnIssuer, type HolderRow, listMrnHolders, listRecordsOf } from '../altered/mrn-holders.sql.ts'

export const uploadPeople: Handler<typeof studyUploadPeople> = async ({ services, input, caller, on }) => {
  const ownIssuer = await findOwnIssuer(services.db, on.accountUuid)
  const ownNames = await findOwnNames(services.db, on.accountUuid)
  const patientids = [...new Set(input.people.map((one) => one.patientid).filter((one) => one !== ''))]
  const holders = await listMrnHolders(services.db, on.accountUuid, patientids)
  const uids = [...new Set(input.people.flatMap((one) => one.study_uids))]
  const records = Map.groupBy(await listRecordsOf(services.db, on.namespaceUuid, uids), (one) => one.study_uid)
  const mayName = await nameableBy(caller)
  const people = input.people.map(async ({ study_uids: studyUids, issuer = ownIssuer, ...one }) => {
    const others = holders.filter(
      (holder) => holder.phi_namespace !== on.namespaceUuid || !studyUids.includes(holder.study_uid),
    )
    const held = await presentClashes(caller, one.patientid, findClashes(ownNames, { ...one, issuer }, others))
    const studies = studyUids
      .flatMap((uid) => records.get(uid) ?? [])
      .filter((record) => isOtherPatient(one, record))
      .map((record) => presentRecord(record, mayName(record)))
    return { ...held, studies }
  })
  return { people: await Promise.all(people) }
}

/** Stands for the MRN on both sides: name, birth date and sex decide, since the MRN may be about to be corrected. */
const oneMrn = { patientid: '?', issuer: '?' }

function isOtherPatient(patient: Omit<ComparedPatient, 'issuer'>, record: HolderRow): boolean {
  const compared = compareIdentities(asIdentity({ ...patient, ...oneMrn }), asIdentity({ ...record, ...oneMrn }))
  return compared.verdict === 'different'
}

function presentRecord(record: HolderRow, isNamed: boolean): OtherPatientsStudy {
  return {
    study_uid: record.study_uid,
    patient_name: isNamed ? record.patient_name : '',
    patient_birth_date: isNamed ? record.patient_birth_date : '',
    patient_sex: isNamed ? record.patient_sex : '',
  }
}
