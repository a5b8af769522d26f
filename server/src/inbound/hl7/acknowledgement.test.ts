import { expect, it } from 'vitest'
import { acknowledge, type AnsweredHeader, noHeader } from './acknowledgement.ts'
import { Hl7Fault } from './hl7-fault.ts'

const header: AnsweredHeader = {
  ...noHeader,
  sendingApplication: 'RIS',
  sendingFacility: 'NORTH',
  receivingApplication: 'HILUM',
  trigger: 'O01',
  controlId: 'C1',
}
const at = new Date('2026-03-01T08:15:30Z')
const lines = (reply: Buffer | undefined) => reply?.toString('latin1').split('\r')
const fault = new Hl7Fault('value', 'Nobody | knows', 'PID-8')

it('answers to the one who asked, by the id of the message', () => {
  const [msh, msa, ...more] = lines(acknowledge(header, undefined, at)) ?? []
  expect(msh).toMatch(
    /^MSH\|\^~\\&\|HILUM\|\|RIS\|NORTH\|20260301081530\+0000\|\|ACK\^O01\^ACK\|[\w-]{20}\|P\|2\.5\.1$/,
  )
  expect([msa, more]).toEqual(['MSA|AA|C1', ['']])
})

it('says where and why, as the version has it', () => {
  expect(lines(acknowledge(header, fault, at))?.slice(1)).toEqual([
    'MSA|AE|C1|Nobody \\F\\ knows',
    'ERR||PID^1^8|103^Table value not found^HL70357|E||||Nobody \\F\\ knows',
    '',
  ])
  expect(lines(acknowledge({ ...header, version: '2.3' }, fault, at))?.[2]).toBe(
    'ERR|PID^1^8^103&Table value not found&HL70357',
  )
  expect(lines(acknowledge(header, new Hl7Fault('event', 'No'), at))?.[1]).toBe('MSA|AR|C1|No')
})

it.each([
  ['', '', 'AA', 'AE'],
  ['AL', 'NE', 'CA', 'CE'],
  ['AL', 'AL', 'AA', 'AE'],
  ['ER', 'NE', undefined, 'CE'],
  ['NE', 'SU', 'AA', undefined],
  ['NE', 'NE', undefined, undefined],
])('accept %j and application %j: %s, %s', (acceptAck, applicationAck, good, bad) => {
  const codeOf = (found: Hl7Fault | undefined) =>
    lines(acknowledge({ ...header, acceptAck, applicationAck }, found, at))?.[1]?.split('|')[1]
  expect([codeOf(undefined), codeOf(fault)]).toEqual([good, bad])
})
