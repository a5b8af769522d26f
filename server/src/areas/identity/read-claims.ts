import { withoutHiddenSigns } from '@hilum/contract/hidden-signs'
import { isMailable } from '@hilum/contract/mail-address'
import { foldLogin } from '@hilum/contract/fold-login'
import type { ProviderRow } from './provider.sql.ts'

/** A provider's words of a person, as they count here. */
export interface Said {
  issuer: string
  subject: string
  /** Empty when there is none, or none that could be one. */
  email: string
  /** `vouched`: the provider says that it checked the address, or is responsible for its domain. */
  emailState: 'none' | 'foreign domain' | 'not verified' | 'vouched'
  first: string
  last: string
  groups: readonly string[]
  hasTwoFactors: boolean
  /** acr, amr and auth_time as they came. */
  proof: { acr?: string; amr?: string[]; auth_time?: number }
}

type Claims = Readonly<Record<string, unknown>>
type Rules = Pick<
  ProviderRow,
  'issuer' | 'email_claim' | 'first_claim' | 'last_claim' | 'groups_claim' | 'domains' | 'acr_values'
>

const longestEmail = 254
const longestName = 100
const mostGroups = 2000

export function readClaims(provider: Rules, subject: string, claims: Claims): Said {
  const email = readEmail(claims[provider.email_claim])
  const [first, last] = readName(provider, claims, email)
  const proof = readProof(claims)
  const strong = provider.acr_values.split(/\s+/).filter(Boolean)
  return {
    issuer: provider.issuer,
    subject,
    email,
    emailState: stateOf(provider, claims, email),
    first,
    last,
    groups: readGroups(claims[provider.groups_claim]),
    hasTwoFactors: (proof.amr?.includes('mfa') ?? false) || strong.includes(proof.acr ?? ''),
    proof,
  }
}

/**
 * The claims of the ID token with those of the userinfo that it lacks. The address and the word whether it is verified
 * come from one of the two, and the token alone says how somebody signed in.
 */
export function joinClaims({ email_claim: name }: Pick<Rules, 'email_claim'>, token: Claims, userinfo: Claims): Claims {
  const { email, email_verified: verified, acr: _acr, amr: _amr, auth_time: _time, ...more } = userinfo
  if (token[name] !== undefined) return { ...more, ...token }
  const { email: _email, email_verified: _verified, ...said } = token
  return { ...more, ...said, email, email_verified: verified }
}

function readEmail(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : ''
  return isMailable(text) && text.length <= longestEmail ? text : ''
}

/**
 * A word of the provider that an address is not verified counts more than its domain. The word that one is verified is
 * about the claim `email` (OpenID Connect Core §5.1): people choose what other claims say of them.
 */
function stateOf({ domains }: Rules, claims: Claims, email: string): Said['emailState'] {
  if (!email) return 'none'
  const domain = foldLogin(email.slice(email.lastIndexOf('@') + 1))
  const isOfDomain = domains.some((one) => foldLogin(one) === domain)
  if (domains.length > 0 && !isOfDomain) return 'foreign domain'
  const { email: said, email_verified: verified } = claims
  const isVerified = verified === true || verified === 'true'
  if (isVerified && typeof said === 'string' && said.trim().toLowerCase() === email.toLowerCase()) return 'vouched'
  return (isVerified || verified === undefined) && isOfDomain ? 'vouched' : 'not verified'
}

function readName(provider: Rules, claims: Claims, email: string): [first: string, last: string] {
  const [first, last] = [claims[provider.first_claim], claims[provider.last_claim]].map(cleanName)
  if (first || last) return [first ?? '', last ?? '']
  const words = cleanName(claims['name']).split(' ').filter(Boolean)
  if (words.length > 0) return [words.slice(0, -1).join(' ') || (words[0] ?? ''), words.length > 1 ? words.at(-1)! : '']
  return [email.split('@')[0] ?? '', '']
}

function cleanName(value: unknown): string {
  if (typeof value !== 'string') return ''
  return withoutHiddenSigns(value.replace(/[\p{Cc}\s]+/gu, ' '))
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, longestName)
}

function readGroups(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value]
  return list.filter((one): one is string => typeof one === 'string' && one !== '').slice(0, mostGroups)
}

function readProof(claims: Claims): Said['proof'] {
  const { acr, amr, auth_time: time } = claims
  const short = (text: string) => text.slice(0, 100)
  return {
    ...(typeof acr === 'string' ? { acr: short(acr) } : {}),
    ...(Array.isArray(amr)
      ? {
          amr: amr
            .filter((one) => typeof one === 'string')
            .slice(0, 10)
            .map(short),
        }
      : {}),
    ...(typeof time === 'number' && Number.isFinite(time) ? { auth_time: time } : {}),
  }
}
