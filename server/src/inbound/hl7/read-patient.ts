import type { SentPatient } from '../../areas/order/sent-order.ts'
import { Hl7Fault } from './hl7-fault.ts'
import { componentOf, repetitionsOf, type Hl7Segment } from './hl7-message.ts'
import { birthDateIn, nameIn, sexIn } from './read-values.ts'

/** The patient of a message. @throws Hl7Fault without a number, and for values that cannot be read */
export function readPatient(segment: Hl7Segment): SentPatient {
  return {
    ...readNumber(segment, 3),
    patient_name: nameIn(segment, 5, 1),
    patient_birth_date: birthDateIn(segment, 7),
    patient_sex: sexIn(segment, 8),
  }
}

/**
 * The number of a patient (CX) and who gave it: the one that is marked as medical record number (MR), else as internal
 * (PI), else the first.
 * @throws Hl7Fault where there is none
 */
export function readNumber(segment: Hl7Segment, field: number): { patientid: string; issuer: string } {
  const numbers = repetitionsOf(segment, field).map((one) => ({
    patientid: componentOf(segment, one, 1) ?? '',
    issuer: componentOf(segment, one, 4) ?? '',
    type: componentOf(segment, one, 5) ?? '',
  }))
  const given = numbers.filter((one) => one.patientid !== '')
  const chosen = given.find((one) => one.type === 'MR') ?? given.find((one) => one.type === 'PI') ?? given[0]
  if (!chosen) throw new Hl7Fault('missing', 'The patient has no number', `${segment.name}-${field}`)
  return { patientid: chosen.patientid, issuer: chosen.issuer }
}
