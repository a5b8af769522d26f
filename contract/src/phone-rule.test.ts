import { expect, it } from 'vitest'
import { isPhoneNumber } from './phone-rule.ts'

it.each(['', '+1', '+4930123456', '+123456789012345'])('[ACCOUNT-04] takes "%s" as a mobile phone', (text) => {
  expect(isPhoneNumber(text)).toBe(true)
})

it.each(['+', '+0123', '0123', '123', '+1234567890123456', '+12 34', ' +123', '+12a', '++1'])(
  '[ACCOUNT-04] refuses "%s" as a mobile phone',
  (text) => {
    expect(isPhoneNumber(text)).toBe(false)
  },
)
