import type { IdentityProvider } from '@hilum/contract/calls/identity'
import { ApiFailure } from '../../../api/api-failure.ts'
import { t } from '../../../labels/label.ts'
import type { ProviderValues } from '../../../queries/identity.ts'

/** A rule as the form holds it: `gives` is `role:<uuid>` or `group:<uuid>`. */
export interface ClaimRuleDraft {
  key: number
  value: string
  gives: string
  /** Role in the group, which the form neither shows nor changes. */
  roleInGroup: string
}

/** The values of the form: those of the wire, domains as typed, rules as rows. */
export type ProviderDraft = Omit<IdentityProvider, 'uuid' | 'row_version' | 'domains' | 'rules'> & {
  client_secret: string
  domains: string
  rules: ClaimRuleDraft[]
}

export function providerDraftOf(provider: IdentityProvider | null): ProviderDraft {
  const { uuid: _uuid, row_version: _version, ...given } = provider ?? fresh
  return {
    ...given,
    client_secret: '',
    domains: given.domains.join(', '),
    rules: given.rules.map(({ value, role_id: role = '', group_id: group = '' }, key) => ({
      key,
      value,
      gives: group ? `group:${group}` : `role:${role}`,
      roleInGroup: group ? role : '',
    })),
  }
}

const fresh: IdentityProvider = {
  uuid: '',
  is_on: 1,
  button: '',
  issuer: '',
  client_id: '',
  scopes: 'openid profile email',
  email_claim: 'email',
  first_claim: 'given_name',
  last_claim: 'family_name',
  groups_claim: 'groups',
  domains: [],
  rules: [],
  unmapped_role_id: '',
  creates_people: 0,
  sso_only: 0,
  trusts_second_factor: 0,
  acr_values: '',
  row_version: 0,
}

/** The form as it is sent; an empty secret stays as it is. */
export function providerValuesOf(draft: ProviderDraft, provider: IdentityProvider | null): ProviderValues {
  const { client_secret: secret, domains, rules, ...rest } = draft
  return {
    ...rest,
    is_on: flagOf(rest.is_on),
    creates_people: flagOf(rest.creates_people),
    sso_only: flagOf(rest.sso_only),
    trusts_second_factor: flagOf(rest.trusts_second_factor),
    ...(secret ? { client_secret: secret } : {}),
    domains: domains.split(/[\s,;]+/).filter(Boolean),
    rules: rules.map(({ value, gives, roleInGroup }) => {
      const [kind = '', uuid = ''] = gives.split(':')
      if (kind !== 'group') return { value, role_id: uuid }
      return { value, group_id: uuid, ...(roleInGroup ? { role_id: roleInGroup } : {}) }
    }),
    ...(provider ? { row_version: provider.row_version } : {}),
  }
}

/** Warnings of the sessions that saving ends; the server ends them (provider-set.call.ts). */
export function endingTexts(before: IdentityProvider | null, now: ProviderDraft): string[] {
  const wasOn = before?.is_on === 1
  const isOn = now.is_on === 1
  const endsByProvider = wasOn && (!isOn || now.issuer.trim() !== before.issuer)
  const endsByPassword = isOn && now.sso_only === 1 && !(wasOn && before.sso_only === 1)
  return [
    ...(endsByProvider ? [t('provider.endsByProvider')] : []),
    ...(endsByPassword ? [t('provider.endsByPassword')] : []),
    // the form does not know whether there are such people
    ...(isOn && !wasOn && !endsByPassword ? [t('provider.endsByPeople')] : []),
  ]
}

function flagOf(value: number): 0 | 1 {
  return value === 1 ? 1 : 0
}

/** Why the provider was not saved, in words. */
export function saveFaultText(failure: unknown): string {
  if (!(failure instanceof ApiFailure)) return t('provider.saveFailed')
  const subtype = [failure.subtype].flat()[0] ?? ''
  switch (failure.code) {
    case 'MISSING_FIELDS':
      return t('provider.missing')
    case 'INVALID_URL':
      return t(subtype === 'PRIVATE_ADDRESS' ? 'provider.fault.PRIVATE_ADDRESS' : 'provider.badIssuer')
    case 'INVALID_FIELD':
      return t('provider.badField', { field: subtype })
    case 'NOT_PERMITTED':
      return t('provider.above')
    case 'CAN_NOT_PROMOTE':
      return t('provider.promote')
    case 'SSO_REFUSED':
      return t('provider.linkFirst')
    default:
      return t('provider.saveFailed')
  }
}
