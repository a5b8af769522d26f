import { expect, test } from 'vitest'
import { describePeers, readPeerRule } from './peer-rules.ts'

test.each([
  ['CT_1', { ae_title: 'CT_1' }],
  ['10.1.0.0/16', { address: '10.1.0.0/16' }],
  ['fd00::/8', { address: 'fd00::/8' }],
  ['CT_1@10.1.2.3', { ae_title: 'CT_1', address: '10.1.2.3' }],
  ['A@B@10.1.2.3', { ae_title: 'A@B', address: '10.1.2.3' }],
])('%s is a rule, and is told as it was written', (text, rule) => {
  expect(readPeerRule(text)).toEqual(rule)
  expect(describePeers(JSON.stringify([rule]))).toBe(text)
})

test.each(['', '@', '@10.1.2.3', 'CT_1@', 'CT_1@nowhere', 'CT_1@10.1.0.0/33', 'SEVENTEEN_LETTERS', 'back\\slash'])(
  '%j is refused in words',
  (text) => {
    expect(() => readPeerRule(text)).toThrow('names no sender')
  },
)

test('without rules only this machine may send, and what cannot be read lets nobody in', () => {
  expect([describePeers(null), describePeers('[]'), describePeers('{')]).toEqual([
    'programs of this machine',
    'nobody',
    'nobody',
  ])
})
