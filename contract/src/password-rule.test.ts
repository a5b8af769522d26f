import { expect, it } from 'vitest'
import { isGoodPassword, isGoodPasswordStart } from './password-rule.ts'

it.each([
  ['abcdef12', true],
  ['12ab3456', true],
  ['äöABCD12', true],
  ['abcde12', false],
  ['abcdefg1', false],
  ['a1234567', false],
  ['abcdefgh', false],
  ['12345678', false],
  ['--ab--12', true],
  ['------12', false],
  ['ab------', false],
])('takes %s as a password: %s', (password, isGood) => {
  expect(isGoodPassword(password)).toBe(isGood)
  expect(isGoodPasswordStart(password)).toBe(isGood)
})

it('in the forms wants letters and digits among the first 8 characters', () => {
  expect(isGoodPassword('abcdefgh12')).toBe(true)
  expect(isGoodPasswordStart('abcdefgh12')).toBe(false)
  expect(isGoodPasswordStart('abcdef12gh')).toBe(true)
})
