import { hasUnreadCharacter } from '@hilum/dicom/text'
import type { Order } from '@hilum/contract/calls/order'
import type { FoundExam } from '../../queries/retrieve.ts'
import type { ChosenExam } from './compare-patient.ts'

/** An order as an exam is compared with it. */
export function examOfOrder(order: Partial<Order>): ChosenExam {
  const [step] = order.sps ?? []
  return {
    kind: 'order',
    ...(order.uuid ? { orderId: order.uuid } : {}),
    patient_name: order.patient_name ?? '',
    patient_birth_date: order.patient_birth_date ?? '',
    patient_sex: order.patient_sex ?? '',
    patientid: order.patientid ?? '',
    issuer: order.issuer ?? '',
    accession_number: order.accession_number ?? '',
    study_description: step?.requested_procedure_description || step?.scheduled_procedure_step_description || '',
  }
}

/** The name as it may be compared and written, none where its characters could not be read. */
export function readableName(
  patient_name: string,
  isUnread: boolean,
): Pick<ChosenExam, 'patient_name' | 'isNameUnread'> {
  return isUnread || hasUnreadCharacter(patient_name) ? { patient_name: '', isNameUnread: true } : { patient_name }
}

/** A patient of an archive; the exam itself has no accession number of an order there. */
export function examOfFound(found: FoundExam, archive: { uuid: string; name: string }): ChosenExam {
  const { patient_name, patient_birth_date, patient_sex, patientid, issuer, accession_number, study_uid } = found
  return {
    kind: 'patient',
    ...readableName(patient_name, found.name_unread === 1),
    patient_birth_date,
    patient_sex,
    patientid,
    issuer,
    accession_number,
    study_description: '',
    archive: { uuid: archive.uuid, name: archive.name, studyUid: study_uid },
  }
}
