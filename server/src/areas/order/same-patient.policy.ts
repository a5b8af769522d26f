import { foldId } from '@hilum/dicom/fold-id'
import { findMrnClash } from '@hilum/dicom/identity-mrn'
import { asIdentity } from '../storage/compared-patient.ts'
import type { KeptOrder } from './order-write.sql.ts'
import { MessageRefused, type SentPatient } from './sent-order.ts'

/**
 * Makes sure that an order is of the patient whom a message names: the same number, and nothing else that speaks for
 * another person.
 * @throws MessageRefused
 */
export function demandSamePatient(order: KeptOrder, sent: SentPatient): void {
  const isNumberOfAnother = order.patientid !== '' && foldId(order.patientid) !== foldId(sent.patientid)
  const isIssuerOfAnother = order.issuer !== '' && sent.issuer !== '' && foldId(order.issuer) !== foldId(sent.issuer)
  if (isNumberOfAnother || isIssuerOfAnother) {
    throw new MessageRefused('other-patient', 'The order is of a patient with another number')
  }
  demandAlike(order, sent)
}

/**
 * Makes sure that nothing but the number tells the patient of an order from the one of a message; what one of them does
 * not say, speaks for neither.
 * @throws MessageRefused
 */
export function demandAlike(order: KeptOrder, sent: SentPatient): void {
  const { patientid, issuer } = sent
  const clash = findMrnClash(
    asIdentity({ ...order, patientid, issuer }),
    asIdentity({
      patientid,
      issuer,
      patient_name: sent.patient_name || order.patient_name,
      patient_birth_date: sent.patient_birth_date || order.patient_birth_date,
      patient_sex: sent.patient_sex || order.patient_sex,
    }),
  )
  if (clash?.verdict === 'different') {
    throw new MessageRefused('other-patient', 'An order with this number is of a patient who looks like somebody else')
  }
}
