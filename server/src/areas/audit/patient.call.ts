import type { auditPatient } from '@hilum/contract/calls/audit'
import { filterSql } from '../../db/filter-sql.ts'
import { filterZone } from '../../db/filter-zone.ts'
import type { Handler } from '../handler.ts'
import { presentAccountAudit } from './account-audit.presenter.ts'
import { aboutPatient, accountAuditColumns, listAuditedPatients, listEarlierPatients } from './account-audit.sql.ts'
import { demandShown, findHiddenNames } from '../study/hidden-names.command.ts'
import { loadAuditPage } from './audit-page.command.ts'
import { writeAudit } from './audit.sql.ts'

export const patient: Handler<typeof auditPatient> = async ({ services, input, list, caller, on }) => {
  const { db } = services
  const { patientid, issuer } = input
  const hidden = await findHiddenNames(db, on.accountUuid, on.fieldFlags)
  demandShown(hidden, ['patientid'])
  const where = filterSql(list.filters, accountAuditColumns, filterZone(caller.timeZone, list.timeZone))
  const about = aboutPatient(on.accountUuid, { patientid, issuer }, where)
  const { rows, page } = await loadAuditPage(db, on.accountUuid, about, list, false)
  const patients = await listAuditedPatients(db, on.accountUuid, patientid)
  const earlier = await listEarlierPatients(db, on.accountUuid, { patientid, issuer })
  if (list.page.number === 1) {
    const studies = [...patients, ...earlier].reduce((sum, one) => sum + one.study_count, 0)
    await writeAudit(db, {
      accountUuid: on.accountUuid,
      caller,
      action: 'ACCESS_REPORT',
      type: 'Account',
      objectUuid: on.accountUuid,
      detail: { patientid, studies },
    })
  }
  const shown = <Patient extends { patient_name: string; patient_birth_date: string }>(one: Patient): Patient => ({
    ...one,
    patient_name: hidden.has('patient_name') ? '' : one.patient_name,
    patient_birth_date: hidden.has('patient_birth_date') ? '' : one.patient_birth_date,
  })
  return {
    patients: patients.map(shown),
    earlier: earlier.map(shown),
    events: rows.map((row) => presentAccountAudit(row, hidden)),
    page,
  }
}
