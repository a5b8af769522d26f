import { expect, it } from 'vitest'
import { digestOfRecoveryCode, findTotpStep, newRecoveryCodes, newTotpSecret, totpAddress } from './totp.ts'

/** "12345678901234567890" of RFC 6238, appendix B, in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

it.each([
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('takes the code of RFC 6238 at %i seconds, from one step before to one after', (seconds, code) => {
  const step = Math.floor(seconds / 30)
  const at = (moved: number) => findTotpStep(secret, code, 0, (step * 30 + moved) * 1000)
  expect([at(-31), at(-30), at(0), at(59), at(61)]).toEqual([undefined, step, step, step, undefined])
})

it('takes no code a second time, nor an older one', () => {
  const now = 1111111109 * 1000
  const step = Math.floor(1111111109 / 30)
  expect(findTotpStep(secret, '081804', step - 1, now)).toBe(step)
  expect(findTotpStep(secret, '081804', step, now)).toBeUndefined()
  expect(findTotpStep(secret, '081804', step + 1, now)).toBeUndefined()
})

it.each(['', '08180', '0818044', 'abcdef', ' 081804', '081804\n', '٠٨١٨٠٤'])(
  'refuses "%s", which is no code',
  (code) => {
    expect(findTotpStep(secret, code, 0, 1111111109 * 1000)).toBeUndefined()
  },
)

it('makes secrets of 160 bits, and an address that apps read', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(newTotpSecret())
  const address = new URL(totpAddress(secret, { email: 'ada+1@h.example', issuer: 'Hilum (A: B & C)' }))
  expect([address.protocol, address.host, decodeURIComponent(address.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Hilum (A  B & C):ada+1@h.example',
  ])
  expect(Object.fromEntries(address.searchParams)).toMatchObject({ secret, issuer: 'Hilum (A  B & C)' })
})

it('makes ten different recovery codes, which are read with or without hyphens and capitals', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/)
  const [code = ''] = codes
  expect(digestOfRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')}`)).toEqual(digestOfRecoveryCode(code))
})
