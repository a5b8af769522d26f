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
function readNumber(segment: Hl7Segment, field: number): { patientid: string; issuer: string } {
  const [chosen] = numbersIn(segment, field)
  if (!chosen) throw new Hl7Fault('missing', 'The patient has no number', `${segment.name}-${field}`)
  return chosen
}

/** The number that ended, chosen as that of a patient. @throws Hl7Fault also where several could be meant */
export function readEndedNumber(mrg: Hl7Segment): { patientid: string; issuer: string } {
  const ended = readNumber(mrg, 1)
  const isOther = (one: typeof ended) => one.patientid !== ended.patientid || one.issuer !== ended.issuer
  if (numbersIn(mrg, 1).some(isOther))
    throw new Hl7Fault('value', 'The message names several numbers that ended: one is taken, or one marked MR', 'MRG-1')
  return ended
}

/** The numbers of the kind that is taken. */
function numbersIn(segment: Hl7Segment, field: number): { patientid: string; issuer: string }[] {
  const numbers = repetitionsOf(segment, field).map((one) => ({
    patientid: componentOf(segment, one, 1) ?? '',
    issuer: componentOf(segment, one, 4) ?? '',
    type: componentOf(segment, one, 5) ?? '',
  }))
  const given = numbers.filter((one) => one.patientid !== '')
  const isOf = (type: string) => given.some((one) => one.type === type)
  const taken = ['MR', 'PI'].find(isOf)
  const chosen = taken ? given.filter((one) => one.type === taken) : given
  return chosen.map(({ patientid, issuer }) => ({ patientid, issuer }))
}
