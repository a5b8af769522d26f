import { providerLimits } from '@hilum/contract/calls/identity'
import { ApiError } from '@hilum/contract/errors'
import { isIP } from 'node:net'
import { isPublicAddress } from '../../outbound/webhook/public-address.ts'
import type { ProviderRow } from './provider.sql.ts'

type Flag = 0 | 1 | undefined
type Text = string | undefined
interface Sent {
  is_on?: Flag
  button?: Text
  issuer?: Text
  client_id?: Text
  scopes?: Text
  email_claim?: Text
  first_claim?: Text
  last_claim?: Text
  groups_claim?: Text
  domains?: readonly string[] | undefined
  unmapped_role_id?: Text
  creates_people?: Flag
  sso_only?: Flag
  trusts_second_factor?: Flag
  acr_values?: Text
}

const required = ['button', 'client_id', 'scopes', 'email_claim'] as const
const clearable = ['first_claim', 'last_claim', 'groups_claim', 'acr_values'] as const
const flags = ['is_on', 'creates_people', 'sso_only', 'trusts_second_factor'] as const

/**
 * A provider with what was sent put over it; the secret and the rules stay.
 * @throws ApiError INVALID_FIELD naming the field, INVALID_URL for the issuer
 */
export function readProvider(before: ProviderRow, sent: Sent, allowsPrivate: boolean): ProviderRow {
  const now = { ...before }
  for (const field of [...required, ...clearable]) now[field] = sent[field]?.trim() ?? before[field]
  for (const field of flags) now[field] = sent[field] === undefined ? before[field] : sent[field] === 1
  if (sent.issuer !== undefined) now.issuer = readIssuer(sent.issuer, allowsPrivate)
  if (sent.domains !== undefined) now.domains = readDomains(sent.domains)
  if (sent.unmapped_role_id !== undefined) now.unmapped_role_uuid = sent.unmapped_role_id || null
  demandFields(now)
  return now
}

function demandFields(now: ProviderRow): void {
  const missing = required.filter((field) => now[field] === '')
  if (now.issuer === '') throw new ApiError('MISSING_FIELDS', { subtype: ['issuer', ...missing] })
  if (missing.length > 0) throw new ApiError('MISSING_FIELDS', { subtype: missing })
  for (const field of [...required, ...clearable]) {
    if (now[field].length > providerLimits.text || /\p{Cc}/u.test(now[field]))
      throw new ApiError('INVALID_FIELD', { subtype: field })
  }
  // without it the answer is no OpenID Connect
  if (!now.scopes.split(/\s+/).includes('openid')) throw new ApiError('INVALID_FIELD', { subtype: 'scopes' })
}

function readIssuer(sent: string, allowsPrivate: boolean): string {
  const text = sent.trim()
  const url = URL.parse(text)
  const isGood =
    url !== null &&
    text.length <= providerLimits.issuer &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '' &&
    // the address of the document, for which the library would not compare the issuer
    !url.pathname.includes('/.well-known/')
  if (!isGood) throw new ApiError('INVALID_URL', { subtype: 'FORM' })
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:'))
    throw new ApiError('INVALID_URL', { subtype: 'INSECURE_ADDRESS' })
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!allowsPrivate && (host === 'localhost' || (isIP(host) && !isPublicAddress(host))))
    throw new ApiError('INVALID_URL', { subtype: 'PRIVATE_ADDRESS' })
  return text
}

function readDomains(sent: readonly string[]): string[] {
  const domains = [...new Set(sent.map((one) => one.trim().toLowerCase().replace(/^@/, '')).filter(Boolean))]
  const isGood =
    domains.length <= providerLimits.domains &&
    domains.every((one) => one.length <= 253 && /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(one))
  if (!isGood) throw new ApiError('INVALID_FIELD', { subtype: 'domains' })
  return domains
}
