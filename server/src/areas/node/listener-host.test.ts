import { expect, it } from 'vitest'
import { isLocalHost, reachedHost } from './listener-host.ts'

it.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['localhost', true],
  ['LOCALHOST', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.1.0.7', false],
  ['pacs.hospital.example', false],
])('a listener at %s is for this machine alone: %s', (host, isLocal) => expect(isLocalHost(host)).toBe(isLocal))

it('a listener at all addresses has none of its own', () =>
  expect(['0.0.0.0', '::', '10.1.0.7'].map(reachedHost)).toEqual(['', '', '10.1.0.7']))
