import { authorityOf, type GivenNumber, isOneNumber, type OwnNames } from '@hilum/dicom/authority'
import { foldId } from '@hilum/dicom/fold-id'
import type { SentPatient } from '../../areas/order/sent-order.ts'
import { Hl7Fault } from './hl7-fault.ts'
import { componentOf, repetitionsOf, type Hl7Segment } from './hl7-message.ts'
import { birthDateIn, nameIn, sexIn } from './read-values.ts'

/**
 * The patient of a message.
 * @param ownNames of the assigning authority of the organisation that takes the message
 * @throws Hl7Fault without a number, where it could be of several authorities, and for values that cannot be read
 */
export function readPatient(segment: Hl7Segment, ownNames: OwnNames): SentPatient {
  return { ...chooseNumber(segment, 3, ownNames), ...readPerson(segment) }
}

/**
 * The patient of a merge and the number that ended. Of several numbers the patient has the one of the authority whose
 * number ended.
 * @throws Hl7Fault also where several numbers may have ended
 */
export function readMerge(
  pid: Hl7Segment,
  mrg: Hl7Segment,
  ownNames: OwnNames,
): { patient: SentPatient; prior: GivenNumber } {
  const prior = chooseNumber(mrg, 1, ownNames)
  if (kindTaken(mrg, 1, ownNames).some((one) => !isOneNumber(one, prior, ownNames)))
    throw new Hl7Fault('value', 'The message names several numbers that ended: one is taken, or one marked MR', 'MRG-1')
  const authority = authorityOf(prior.issuer, ownNames)
  const alike = kindsOf(pid, 3)
    .flat()
    .filter((one) => authorityOf(one.issuer, ownNames) === authority)
  const [patient = chooseNumber(pid, 3, ownNames)] = alike
  return { patient: { ...numberOf(patient), ...readPerson(pid) }, prior }
}

function readPerson(segment: Hl7Segment): Omit<SentPatient, keyof GivenNumber> {
  return {
    patient_name: nameIn(segment, 5, 1),
    patient_birth_date: birthDateIn(segment, 7),
    patient_sex: sexIn(segment, 8),
  }
}

/**
 * The number of a patient (CX) and who gave it: of those marked as medical record number (MR), else as internal (PI), the
 * one of the organisation's own authority; without marks, of all.
 * @throws Hl7Fault where there is none, and where several are of different authorities, none of them the own one
 */
function chooseNumber(segment: Hl7Segment, field: number, ownNames: OwnNames): GivenNumber {
  const place = `${segment.name}-${field}`
  const numbers = kindTaken(segment, field, ownNames)
  const [first] = numbers
  if (!first) throw new Hl7Fault('missing', 'The patient has no number', place)
  const authorities = new Set(numbers.map((one) => authorityOf(one.issuer, ownNames)))
  if (authorities.size > 1)
    throw new Hl7Fault(
      'value',
      'The numbers of the patient are of several assigning authorities, none of them the organisation’s own',
      place,
    )
  return numberOf(first)
}

interface TypedNumber extends GivenNumber {
  type: string
}

/** The numbers of the kind that is taken: those of the own authority where it is named, else all. */
function kindTaken(segment: Hl7Segment, field: number, ownNames: OwnNames): TypedNumber[] {
  const kinds = kindsOf(segment, field)
  const isOwn = (one: TypedNumber) => ownNames.includes(foldId(one.issuer))
  const own = kinds.find((kind) => kind.some(isOwn))
  return own ? own.filter(isOwn) : (kinds[0] ?? [])
}

/** The numbers of each kind that is taken, medical record numbers first; all of them where none is marked so. */
function kindsOf(segment: Hl7Segment, field: number): TypedNumber[][] {
  const given = numbersIn(segment, field)
  const kinds = ['MR', 'PI'].map((type) => given.filter((one) => one.type === type)).filter((kind) => kind.length > 0)
  return kinds.length > 0 ? kinds : [given]
}

function numbersIn(segment: Hl7Segment, field: number): TypedNumber[] {
  return repetitionsOf(segment, field)
    .map((one) => ({
      patientid: componentOf(segment, one, 1) ?? '',
      // an authority may be named by its universal identifier alone (HD)
      issuer: componentOf(segment, one, 4) || componentOf(segment, one, 4, 2) || '',
      type: componentOf(segment, one, 5) ?? '',
    }))
    .filter((one) => one.patientid !== '')
}

const numberOf = ({ patientid, issuer }: GivenNumber): GivenNumber => ({ patientid, issuer })
