import type { retentionPatient } from '@hilum/contract/calls/retention'
import type { Handler } from '../handler.ts'
import { demandShown, findHiddenNames } from '../study/hidden-names.command.ts'
import { hidePatient } from './hide-patient.ts'
import { notePatientReport } from './patient.command.ts'
import { findPatients, listPatientRecords } from './patient.sql.ts'

export const patient: Handler<typeof retentionPatient> = async ({ services: { db }, input, caller, on }) => {
  const hidden = await findHiddenNames(db, on.accountUuid, on.fieldFlags)
  demandShown(hidden, ['patientid'])
  const found = (await findPatients(db, input.patientid)).filter((one) => one.account_uuid === on.ownerUuid)
  const patients = await Promise.all(
    found.map(async (one) => {
      const records = await listPatientRecords(db, one, new Date())
      await notePatientReport({ db, caller }, one, records.length)
      return {
        ...hidePatient(
          {
            patientid: one.patientid,
            issuer: one.issuer,
            patient_name: one.patient_name,
            patient_birth_date: one.patient_birth_date,
          },
          hidden,
        ),
        is_held: one.is_held ? 1 : 0,
        exams: records.map((record) =>
          hidePatient(
            {
              uuid: record.uuid,
              namespace_id: record.phi_namespace,
              namespace_name: record.place,
              study_uid: record.study_uid,
              patient_name: record.patient_name,
              patientid: record.patientid,
              issuer: record.issuer,
              study_date: record.study_date,
              study_description: record.study_description,
              is_deleted: record.is_deleted ? 1 : 0,
              is_held: record.is_held ? 1 : 0,
              hold_reason: record.hold_reason,
              retain_until: record.retain_until,
            },
            hidden,
          ),
        ),
      }
    }),
  )
  return { patients }
}
