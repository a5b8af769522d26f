import { expect, it } from 'vitest'
import { isWithoutDemo } from './arguments.ts'

it('makes the demo unless --empty is asked for', () => {
  expect(isWithoutDemo([])).toBe(false)
  expect(isWithoutDemo(['--empty'])).toBe(true)
})

it('refuses a misspelt option instead of making a demo', () => {
  expect(() => isWithoutDemo(['--emtpy'])).toThrow('Not an option: --emtpy. The only one is --empty.')
})
