import { expect, test } from 'vitest'
import type { AnyCall } from './call.ts'
import { calls } from './calls/all-calls.ts'

/** Last words of the paths of acts that make, mail or send something. */
const making =
  /\/(?:add|ask|confirm|detail|duplicate|invite|login|mail|push|retrieve|route|search|share|take|test|trigger|welcome)$|^webhook\/retry$/
/** Acts that do nothing a second time, or that nobody may be told again. */
const repeatable: Readonly<Record<string, string>> = {
  'account/can/share': 'allowing again changes nothing',
  'destination/test': 'asks the destination and changes nothing',
  'filter/share': 'sharing again changes nothing',
  'group/user/add': 'adding again changes nothing',
  'identity/provider/test': 'asks the provider and changes nothing',
  'location/user/add': 'adding again changes nothing',
  'session/key/add': 'the key is told once and stored nowhere',
  'session/login': 'needs no session, so that there is nobody whose key it could be',
  'session/pin/confirm': 'a code holds once',
  'study/add': 'announcing again changes nothing',
  'tag/add': 'adding again changes nothing',
}

test('every act that would make, mail or send a second time takes a key, under which it is done once', () => {
  const all = Object.values(calls) as unknown as AnyCall[]
  const repeated = all.filter(({ reads, once, path }) => !reads && !once && making.test(path)).map(({ path }) => path)
  expect(repeated.toSorted()).toEqual(Object.keys(repeatable))
  expect(all.filter(({ reads, once }) => reads && once)).toEqual([])
  expect(all.filter(({ on, once }) => on.kind === 'anyone' && once)).toEqual([])
})
