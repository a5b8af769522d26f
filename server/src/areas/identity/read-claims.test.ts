import { expect, it } from 'vitest'
import { joinClaims, readClaims } from './read-claims.ts'

const provider = {
  issuer: 'https://id.example',
  email_claim: 'email',
  first_claim: 'given_name',
  last_claim: 'family_name',
  groups_claim: 'groups',
  domains: [] as string[],
  acr_values: '',
}
const victim = 'victim@hospital.example'
const own = 'own@hospital.example'

it('takes the word that an address is verified for the claim email alone', () => {
  const byName = { ...provider, email_claim: 'preferred_username' }
  const stateOf = (claims: object, domains: string[] = []) =>
    readClaims({ ...byName, domains }, 'sub', { ...claims }).emailState
  const chosen = { preferred_username: victim, email: own, email_verified: true }
  expect(stateOf(chosen)).toBe('not verified')
  expect(stateOf({ ...chosen, email: undefined })).toBe('not verified')
  expect(stateOf({ ...chosen, email: [victim] })).toBe('not verified')
  expect(stateOf({ ...chosen, email: victim.toUpperCase() })).toBe('vouched')
  // the account has named the domain, and so says that the claim is the provider's own
  expect(stateOf(chosen, ['hospital.example'])).toBe('vouched')
  expect(stateOf({ ...chosen, email_verified: false }, ['hospital.example'])).toBe('not verified')
})

it('takes address and word of one place, and how somebody signed in of the token alone', () => {
  const said = (token: object, userinfo: object, domains: string[] = []) =>
    readClaims({ ...provider, domains }, 'sub', joinClaims(provider, { ...token }, { ...userinfo }))
  const verified = { email: own, email_verified: true }
  expect(said({ email: victim }, verified)).toMatchObject({ email: victim, emailState: 'not verified' })
  expect(said({ email_verified: true }, { email: victim })).toMatchObject({ email: victim, emailState: 'not verified' })
  expect(said({}, verified)).toMatchObject({ email: own, emailState: 'vouched' })
  expect(said(verified, { groups: ['a'] })).toMatchObject({ emailState: 'vouched', groups: ['a'] })
  const proof = { acr: 'two', amr: ['mfa'], auth_time: 5 }
  expect(said(verified, proof)).toMatchObject({ hasTwoFactors: false, proof: {} })
  expect(said({ ...verified, ...proof }, {})).toMatchObject({ hasTwoFactors: true, proof })
})

it.each([42, true, null, {}, [], [[]], 'x'.repeat(300)])('takes %j in any claim for nothing', (value) => {
  const claims = Object.fromEntries(
    ['email', 'given_name', 'name', 'groups', 'acr', 'amr', 'auth_time'].map((name) => [name, value]),
  )
  expect(readClaims(provider, 'sub', claims)).toMatchObject({ email: '', emailState: 'none', hasTwoFactors: false })
})
