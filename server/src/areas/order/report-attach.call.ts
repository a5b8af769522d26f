import { orderReportAttach } from '@hilum/contract/calls/order-report'
import { StorageError } from '@hilum/contract/storage-errors'
import { openStudyRecord } from '../../access/study-access.ts'
import type { Handler } from '../handler.ts'
import { attachWaitingReport } from './attach-waiting-report.command.ts'
import { demandTaking } from './attach-reports.command.ts'
import { lockReportedExams } from './reported-exam.sql.ts'
import { openReportToEdit } from './replace-reports.command.ts'
import { MessageRefused } from './sent-order.ts'

export const attach: Handler<typeof orderReportAttach> = async ({ services, input, caller, on, fail }) => {
  const { db } = services
  const report = await db.transaction().execute((tx) => openReportToEdit(tx, caller, on, input.uuid))
  const { record } = await openStudyRecord(db, caller, { uuid: input.study_id }, orderReportAttach.decides.study_id)
  if (record.phi_namespace !== report.namespace_uuid) throw fail('NOT_FOUND')
  try {
    const outcome = await attachWaitingReport(services, report, {
      actor: caller,
      findExams: async (tx, { place, patient }) => {
        const exams = await lockReportedExams(tx, place.namespaceUuid, { uuids: [record.uuid] })
        // nothing but the number tells whose a report is that somebody gives by hand
        if (patient.patientid === '' || exams.some((one) => one.patientid === ''))
          throw new MessageRefused('other-patient', 'The exam or the report has no MRN')
        await demandTaking(tx, place, patient, exams)
        return exams
      },
    })
    if (outcome !== 'attached') throw fail('NOT_FOUND')
  } catch (error) {
    if (error instanceof MessageRefused) throw fail('NOT_AVAILABLE', { subtype: error.reason })
    if (error instanceof StorageError) throw fail('NOT_AVAILABLE', { subtype: 'store' })
    throw error
  }
  return {}
}
