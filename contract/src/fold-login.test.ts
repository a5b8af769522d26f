import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldLogin } from './fold-login.ts'

it.each([
  ['Viewer@Northside.example', 'viewer@northside.example'],
  ['  viewer@northside.example\t', 'viewer@northside.example'],
  ['ｖｉｅｗｅｒ＠northside.example', 'viewer@northside.example'],
  ['view\u00ader@north\u200bside.example', 'viewer@northside.example'],
  ['STRASSE@x.example', foldLogin('straße@x.example')],
  ['ΟΔΟΣ', foldLogin('οδος')],
  ['Zoe\u0308', 'zoë'],
  ['ﬁona', 'fiona'],
])('reads %s as %s', (typed, folded) => {
  expect(foldLogin(typed)).toBe(folded)
})

it('folds what is folded to itself, and every case of a text to the same', () => {
  const text = fc.string({ unit: 'grapheme' })
  const isStable = fc.property(text, (typed) => foldLogin(foldLogin(typed)) === foldLogin(typed))
  const isOneForCases = fc.property(text, (typed) => foldLogin(typed.toUpperCase()) === foldLogin(typed))
  expect([fc.check(isStable).counterexample, fc.check(isOneForCases).counterexample]).toEqual([null, null])
})
