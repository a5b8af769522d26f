import type { IdentityProvider, SignInRule } from '@hilum/contract/calls/identity'
import type { ProviderRow, ClaimRuleRow } from './provider.sql.ts'

export function presentProvider(row: ProviderRow, rules: readonly ClaimRuleRow[]): IdentityProvider {
  return {
    uuid: row.uuid,
    is_on: row.is_on ? 1 : 0,
    button: row.button,
    issuer: row.issuer,
    client_id: row.client_id,
    scopes: row.scopes,
    email_claim: row.email_claim,
    first_claim: row.first_claim,
    last_claim: row.last_claim,
    groups_claim: row.groups_claim,
    domains: row.domains,
    rules: rules.map(presentClaimRule),
    unmapped_role_id: row.unmapped_role_uuid ?? '',
    creates_people: row.creates_people ? 1 : 0,
    sso_only: row.sso_only ? 1 : 0,
    trusts_second_factor: row.trusts_second_factor ? 1 : 0,
    acr_values: row.acr_values,
    row_version: row.row_version,
  }
}

export function presentClaimRule({ value, role_uuid: role, group_uuid: group }: ClaimRuleRow): SignInRule {
  return { value, ...(role ? { role_id: role } : {}), ...(group ? { group_id: group } : {}) }
}
