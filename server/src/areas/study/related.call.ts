import { maxRelated, type studyRelated } from '@hilum/contract/calls/study-acts'
import { foldText } from '@hilum/dicom/person-name'
import type { FieldFlags } from '@hilum/contract/study-field-access'
import { compareIdentities } from '@hilum/dicom/identity'
import { visibleStudies } from '../../access/study-scope.ts'
import type { Handler } from '../handler.ts'
import { hiddenFields } from './field-access.policy.ts'
import { listFieldDefinitions } from './field-definitions.ts'
import { asIdentity } from '../storage/compared-patient.ts'
import { findPatient, listCandidates, type PatientRow } from './related.sql.ts'
import { narrowStudy, presentStudy } from './study.presenter.ts'
import { listStudyRows } from './study-rows.sql.ts'

/** Records looked at for each of MRN, name and birth date. */
const maxCandidates = 200

export const related: Handler<typeof studyRelated> = async ({ services, input, caller, on, origin, fail }) => {
  const found = await findPatient(services.db, on.record)
  if (!found) throw fail('NOT_FOUND')
  const patient = withoutHidden(found, on.membership.fieldFlags)
  const scope = await visibleStudies(caller)
  const places = new Map(scope.namespaces.map((one) => [one.namespaceUuid, one]))
  const asked = { ...patient, study_uid: found.study_uid }
  const candidates = await listCandidates(services.db, scope, asked, foldText(patient.patient_name), maxCandidates)
  const compared = candidates.flatMap((one) => {
    const seen = withoutHidden(one, places.get(one.phi_namespace)?.fieldFlags ?? {})
    const { verdict, reasons } = compareIdentities(asIdentity(patient), asIdentity(seen))
    return verdict === 'different' ? [] : [{ one, verdict, reasons }]
  })
  const alike = oncePerExam(compared, found.phi_namespace)
  const shown = alike.slice(0, maxRelated)
  const rows = await listStudyRows(
    services.db,
    shown.map(({ one }) => one),
    caller.userUuid,
  )
  const definitions = await listFieldDefinitions(services.db, rows)
  const byUuid = new Map(rows.map((row) => [row.uuid, row]))
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

/** An exam that several places show is one other exam: its record in the asking place, else the first. */
function oncePerExam<Found extends { one: PatientRow }>(found: readonly Found[], place: string): Found[] {
  const chosen = new Map<string, Found>()
  for (const each of found) {
    if (!chosen.has(each.one.study_uid) || each.one.phi_namespace === place) chosen.set(each.one.study_uid, each)
  }
  return found.filter((each) => chosen.get(each.one.study_uid) === each)
}

/** Values of a patient that this role may not see are not compared either: that they are the same would tell. */
function withoutHidden(row: PatientRow, flags: FieldFlags): PatientRow {
  const known = hiddenFields(flags).filter((name) => Object.hasOwn(row, name))
  return { ...row, ...Object.fromEntries(known.map((name) => [name, ''])) }
}
