import { areOtherAuthorities, type OwnNames } from '@hilum/dicom/authority'
import { foldId } from '@hilum/dicom/fold-id'
import { findMrnClash } from '@hilum/dicom/identity-mrn'
import { asIdentity, type ComparedPatient } from '../storage/compared-patient.ts'
import { MessageRefused, type SentPatient } from './sent-order.ts'

/**
 * Makes sure that an order, or an exam, is of the patient whom a message names: the same number, and nothing else that speaks for
 * another person.
 * @throws MessageRefused
 */
export function demandSamePatient(
  ownNames: OwnNames,
  order: ComparedPatient,
  sent: SentPatient,
  kind: 'order' | 'exam' = 'order',
): void {
  const isOther =
    foldId(order.patientid) !== foldId(sent.patientid) || areOtherAuthorities(order.issuer, sent.issuer, ownNames)
  // an order without a number has no authority
  if (order.patientid !== '' && isOther) {
    throw new MessageRefused('other-patient', `The ${kind} is of a patient with another number`)
  }
  demandAlike(order, sent, kind)
}

/**
 * Makes sure that nothing but the number tells the patient of an order, or of an exam, from the one of a message; what
 * one of them does not say, speaks for neither.
 * @throws MessageRefused
 */
export function demandAlike(order: ComparedPatient, sent: SentPatient, kind: 'order' | 'exam' = 'order'): void {
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
    const words = `An ${kind} with this number is of a patient who looks like somebody else`
    throw new MessageRefused('other-patient', words)
  }
}
