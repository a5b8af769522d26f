import { isDicomDay } from '@hilum/dicom/dates'
import { Hl7Fault } from './hl7-fault.ts'
import { componentOf, repetitionsOf, type Hl7Segment, valueOf } from './hl7-message.ts'

/** A moment as HL7 writes it, in the sender's own time. @throws Hl7Fault for what is no date */
export function momentIn(
  segment: Hl7Segment | undefined,
  field: number,
  component = 1,
): { date: string; time: string } | undefined {
  const text = valueOf(segment, field, component)
  if (text === undefined || !segment) return undefined
  if (text === '') return { date: '', time: '' }
  const [, digits = '', fraction = ''] = /^(\d{4,14})(\.\d{1,4})?([+-]\d{4})?$/.exec(text) ?? []
  const date = digits.slice(0, 8)
  const time = digits.slice(8)
  const isTime = /^(([01]\d|2[0-3])([0-5]\d([0-5]\d)?)?)?$/.test(time)
  const isDate = isDicomDay(date)
  if (!isTime || !isDate) throw new Hl7Fault('form', 'A date cannot be read', `${segment.name}-${field}`)
  return { date, time: time.length === 6 ? time + fraction : time }
}

/** A birth date as DICOM keeps it; empty where the sender knows the year or the month alone. @throws Hl7Fault */
export function birthDateIn(segment: Hl7Segment, field: number): string | undefined {
  const text = valueOf(segment, field)
  return text && /^(\d{4}|\d{6})$/.test(text) ? '' : momentIn(segment, field)?.date
}

/** Codes of HL7 table 0001, as DICOM has them. */
const sexes: Readonly<Record<string, string>> = { M: 'M', F: 'F', O: 'O', A: 'O', N: 'O', X: 'O', U: '', '': '' }

/** @throws Hl7Fault for a code that the table does not have */
export function sexIn(segment: Hl7Segment, field: number): string | undefined {
  const text = valueOf(segment, field)?.toUpperCase()
  if (text === undefined) return undefined
  const sex = sexes[text]
  if (sex === undefined) throw new Hl7Fault('value', 'A code of the sex is not known', `${segment.name}-${field}`)
  return sex
}

/**
 * A name as DICOM writes it (PS3.5 6.2.1.1), its scripts from the repetitions that the sender marks with A, I and P; of
 * several in one script the legal one, else the first.
 * @param from the component with the family name: 1 of a person's names (XPN), 2 of one who has a number (XCN)
 */
export function nameIn(segment: Hl7Segment, field: number, from: 1 | 2): string | undefined {
  const repetitions = repetitionsOf(segment, field)
  if (repetitions.length === 0) return undefined
  const representation = from === 1 ? 8 : 15
  const kind = from === 1 ? 7 : 10
  const part = (repetition: string, component: number) =>
    // delimiters of a DICOM name inside one of its parts would make other parts of it
    (componentOf(segment, repetition, component) ?? '').replaceAll(/[\^=\\]/g, ' ').trim()
  const groups = ['A', 'I', 'P'].map((script) => {
    const ofScript = repetitions.filter((one) => (part(one, representation) || 'A').toUpperCase() === script)
    const chosen = ofScript.find((one) => part(one, kind) === 'L') ?? ofScript[0]
    if (chosen === undefined) return ''
    // HL7 has the suffix before the prefix
    const order = [from, from + 1, from + 2, from + 4, from + 3]
    return order
      .map((component) => part(chosen, component))
      .join('^')
      .replace(/\^+$/, '')
  })
  return groups.join('=').replace(/=+$/, '')
}
