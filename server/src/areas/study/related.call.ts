import { maxRelated, type studyRelated } from '@hilum/contract/calls/study-acts'
import { foldText } from '@hilum/contract/search-text'
import { compareIdentities } from '@hilum/dicom/identity'
import { visibleStudies } from '../../access/study-scope.ts'
import type { Handler } from '../handler.ts'
import { listFieldDefinitions } from './field-definitions.ts'
import { findPatient, listCandidates, type PatientRow } from './related.sql.ts'
import { narrowStudy, presentStudy } from './study.presenter.ts'
import { listStudyRows } from './study-rows.sql.ts'

/** Records looked at for each of MRN, name and birth date. */
const maxCandidates = 200

export const related: Handler<typeof studyRelated> = async ({ services, input, caller, on, origin, fail }) => {
  const patient = await findPatient(services.db, on.record)
  if (!patient) throw fail('NOT_FOUND')
  const scope = await visibleStudies(caller)
  const candidates = await listCandidates(services.db, scope, patient, foldText(patient.patient_name), maxCandidates)
  const alike = candidates.flatMap((one) => {
    const { verdict, reasons } = compareIdentities(asIdentity(patient), asIdentity(one))
    return verdict === 'different' ? [] : [{ one, verdict, reasons }]
  })
  const shown = alike.slice(0, maxRelated)
  const rows = await listStudyRows(
    services.db,
    shown.map(({ one }) => one),
    caller.userUuid,
  )
  const definitions = await listFieldDefinitions(services.db, rows)
  const byUuid = new Map(rows.map((row) => [row.uuid, row]))
  const places = new Map(scope.namespaces.map((one) => [one.namespaceUuid, one]))
  return {
    related: shown.flatMap(({ one, verdict, reasons }) => {
      const row = byUuid.get(one.uuid)
      const place = places.get(one.phi_namespace)
      if (!row || !place) return []
      const study = presentStudy(row, place, origin.host, definitions)
      return [{ verdict, reasons, study: narrowStudy(study, input.fields) }]
    }),
    more: alike.length > maxRelated ? 1 : 0,
  }
}

function asIdentity(row: PatientRow) {
  return {
    patientName: row.patient_name,
    patientId: row.patientid,
    patientIdIssuer: row.issuer,
    patientBirthDate: row.patient_birth_date,
    patientSex: row.patient_sex,
  }
}
