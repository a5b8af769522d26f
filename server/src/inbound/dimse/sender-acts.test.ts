import { expect, it } from 'vitest'
import { queryActOf, senderActOf, senderActsOf } from './sender-acts.ts'

const root = '1.2.840.10008.5.1.4'

it.each([
  ['1.2.840.10008.1.1', 'C-ECHO'],
  [`${root}.1.1.2`, 'C-STORE'],
  [`${root}.39.1`, 'C-STORE'],
  ['1.2.276.0.7230010.3.1.0.1', 'C-STORE'],
  [`${root}.1.2.1.1`, 'C-FIND'],
  [`${root}.1.2.2.2`, 'C-MOVE'],
  [`${root}.1.2.3.3`, 'C-GET'],
  [`${root}.1.2.4.2`, 'C-MOVE'],
  [`${root}.1.2.5.3`, 'C-GET'],
  [`${root}.31`, 'C-FIND'],
  [`${root}.38.2`, 'C-FIND'],
  [`${root}.45.4`, 'C-GET'],
  ['1.2.840.10008.3.1.2.3.3', 'DICOM'],
])('reads from %s that its sender asks for %s', (sopClass, act) => {
  expect(senderActOf(sopClass)).toBe(act)
})

it('names each service of a sender once, and a test of the connection only by itself', () => {
  expect(senderActsOf(['1.2.840.10008.1.1', `${root}.1.1.2`, `${root}.1.1.4`])).toEqual(['C-STORE'])
  expect(senderActsOf(['1.2.840.10008.1.1'])).toEqual(['C-ECHO'])
})

it('reads the queries and retrievals of commands', () => {
  expect([0x10, 0x20, 0x21, 0x30, 1, undefined].map(queryActOf)).toEqual([
    'C-GET',
    'C-FIND',
    'C-MOVE',
    undefined,
    undefined,
    undefined,
  ])
})
