import { randomUUID } from 'node:crypto'
import { hl7Conditions, type Hl7Fault } from './hl7-fault.ts'
import type { Delimiters } from './hl7-message.ts'

/** Fields of a message's header that its answer repeats, byte by byte as latin1. */
export interface AnsweredHeader {
  delimiters: Delimiters
  sendingApplication: string
  sendingFacility: string
  receivingApplication: string
  receivingFacility: string
  trigger: string
  controlId: string
  processing: string
  version: string
  acceptAck: string
  applicationAck: string
}

/** For answers to what has no readable header. */
export const noHeader: AnsweredHeader = {
  delimiters: { field: '|', component: '^', repetition: '~', escape: '\\', subcomponent: '&' },
  sendingApplication: '',
  sendingFacility: '',
  receivingApplication: '',
  receivingFacility: '',
  trigger: '',
  controlId: '',
  processing: 'P',
  version: '2.5.1',
  acceptAck: '',
  applicationAck: '',
}

/**
 * The answer to a message; undefined where its header asks for none (enhanced mode, MSH-15 and MSH-16).
 * @param fault the reason for which the message was not taken; without one it was, and is committed
 * @param note words about a message that was taken, for MSA-3
 * Source: HL7 v2.5.1, 2.9 and 2.15 (MSA, ERR).
 */
export function acknowledge(
  header: AnsweredHeader,
  fault: Hl7Fault | undefined,
  at: Date,
  note = '',
): Buffer | undefined {
  const condition = fault && hl7Conditions[fault.condition]
  const letter = condition ? condition.answer.slice(1) : 'A'
  const family = familyOf(header, fault !== undefined)
  if (family === undefined) return undefined
  const { field, component, repetition, escape, subcomponent } = header.delimiters
  const join = (...fields: string[]) => fields.join(field)
  const words = fault?.message ?? note
  const own = (text: string) => escapeText(text, header.delimiters)
  const time = at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)
  const lines = [
    join(
      'MSH',
      component + repetition + escape + subcomponent,
      header.receivingApplication,
      header.receivingFacility,
      header.sendingApplication,
      header.sendingFacility,
      `${time}+0000`,
      '',
      ['ACK', header.trigger, 'ACK'].filter(Boolean).join(component),
      randomUUID().slice(0, 20),
      header.processing,
      header.version,
    ),
    join('MSA', `${family}${letter}`, header.controlId, ...(words ? [own(words)] : [])),
    ...(fault && condition ? [join('ERR', ...errorFields(header, fault, condition, own))] : []),
  ]
  return Buffer.from(`${lines.join('\r')}\r`, 'latin1')
}

/** The answer that a message wants, accept or application; without MSH-15 and MSH-16 the application's. */
function familyOf({ acceptAck, applicationAck }: AnsweredHeader, isFault: boolean): 'A' | 'C' | undefined {
  if (acceptAck === '' && applicationAck === '') return 'A'
  const isWanted = (condition: string) => condition === 'AL' || condition === (isFault ? 'ER' : 'SU')
  if (isWanted(applicationAck)) return 'A'
  return isWanted(acceptAck) ? 'C' : undefined
}

/** ERR as of 2.5: place, condition, severity, words; before it, place and condition in one field. */
function errorFields(
  { delimiters, version }: AnsweredHeader,
  fault: Hl7Fault,
  condition: { code: string; text: string },
  own: (text: string) => string,
): string[] {
  const [segment = '', number = ''] = fault.place.split('-')
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? []
  const isOld = Number(major) === 2 && Number(minor) < 5
  const { component, subcomponent } = delimiters
  if (isOld) {
    const code = [condition.code, own(condition.text), 'HL70357'].join(subcomponent)
    return [[segment, '1', number, code].join(component)]
  }
  const place = segment ? [segment, '1', ...(number ? [number] : [])].join(component) : ''
  const code = [condition.code, own(condition.text), 'HL70357'].join(component)
  return ['', place, code, 'E', '', '', '', own(fault.message)]
}

function escapeText(text: string, { field, component, repetition, escape, subcomponent }: Delimiters): string {
  const letters = new Map([
    [field, 'F'],
    [component, 'S'],
    [repetition, 'R'],
    [escape, 'E'],
    [subcomponent, 'T'],
  ])
  return [...text].map((one) => (letters.has(one) ? `${escape}${letters.get(one)}${escape}` : one)).join('')
}
