import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

export interface ProviderRow {
  uuid: string
  account_uuid: string
  is_on: boolean
  button: string
  issuer: string
  client_id: string
  sealed_secret: Buffer
  scopes: string
  email_claim: string
  first_claim: string
  last_claim: string
  groups_claim: string
  domains: string[]
  unmapped_role_uuid: string | null
  creates_people: boolean
  sso_only: boolean
  trusts_second_factor: boolean
  acr_values: string
  row_version: number
}

const columns = sql`
  p.uuid, p.account_uuid, p.is_on, p.button, p.issuer, p.client_id, p.sealed_secret, p.scopes, p.email_claim,
  p.first_claim, p.last_claim, p.groups_claim, p.domains, p.unmapped_role_uuid, p.creates_people, p.sso_only,
  p.trusts_second_factor, p.acr_values, p.row_version`

export async function findProvider(db: Db, uuid: string): Promise<ProviderRow | undefined> {
  const { rows } = await sql<ProviderRow>`
    select ${columns} from identity_provider p where p.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

export async function findProviderOf(db: Db, accountUuid: string): Promise<ProviderRow | undefined> {
  const { rows } = await sql<ProviderRow>`
    select ${columns} from identity_provider p where p.account_uuid = ${accountUuid}
  `.execute(db)
  return rows[0]
}

export async function saveProvider(tx: Tx, one: ProviderRow): Promise<void> {
  await sql`
    insert into identity_provider (uuid, account_uuid, is_on, button, issuer, client_id, sealed_secret, scopes, email_claim,
      first_claim, last_claim, groups_claim, domains, unmapped_role_uuid, creates_people, sso_only, trusts_second_factor,
      acr_values)
    values (${one.uuid}, ${one.account_uuid}, ${one.is_on}, ${one.button}, ${one.issuer}, ${one.client_id},
      ${one.sealed_secret}, ${one.scopes}, ${one.email_claim}, ${one.first_claim}, ${one.last_claim}, ${one.groups_claim},
      ${one.domains}::text[], ${one.unmapped_role_uuid}, ${one.creates_people}, ${one.sso_only},
      ${one.trusts_second_factor}, ${one.acr_values})
    on conflict (uuid) do update
    set is_on = excluded.is_on, button = excluded.button, issuer = excluded.issuer, client_id = excluded.client_id,
      sealed_secret = excluded.sealed_secret, scopes = excluded.scopes, email_claim = excluded.email_claim,
      first_claim = excluded.first_claim, last_claim = excluded.last_claim, groups_claim = excluded.groups_claim,
      domains = excluded.domains, unmapped_role_uuid = excluded.unmapped_role_uuid,
      creates_people = excluded.creates_people, sso_only = excluded.sso_only,
      trusts_second_factor = excluded.trusts_second_factor, acr_values = excluded.acr_values,
      row_version = identity_provider.row_version + 1
  `.execute(tx)
}

export async function deleteProvider(tx: Tx, uuid: string): Promise<void> {
  await sql`delete from identity_provider where uuid = ${uuid}`.execute(tx)
}

export interface ClaimRuleRow {
  value: string
  role_uuid: string | null
  /** Null: the role is the one in the account. */
  group_uuid: string | null
}

/** The rules of a provider in their order: of those for the account the first that fits counts. */
export async function listClaimRules(db: Db, providerUuid: string): Promise<ClaimRuleRow[]> {
  const { rows } = await sql<ClaimRuleRow>`
    select value, role_uuid, group_uuid
    from identity_rule
    where provider_uuid = ${providerUuid}
    order by place
  `.execute(db)
  return rows
}

export async function replaceRules(tx: Tx, providerUuid: string, rules: readonly ClaimRuleRow[]): Promise<void> {
  await sql`delete from identity_rule where provider_uuid = ${providerUuid}`.execute(tx)
  await sql`
    insert into identity_rule (provider_uuid, place, value, role_uuid, group_uuid)
    select ${providerUuid}, one.place, one.value, one.role_uuid, one.group_uuid
    from unnest(${rules.map((one) => one.value)}::text[], ${rules.map((one) => one.role_uuid)}::uuid[],
      ${rules.map((one) => one.group_uuid)}::uuid[]) with ordinality as one (value, role_uuid, group_uuid, place)
  `.execute(tx)
}

interface OfferRow {
  uuid: string
  button: string
  account: string
  sso_only: number
}

/** The provider to offer before anybody is known: by its uuid, by the host name of an account, or of the only account. */
export async function findOffer(
  db: Db,
  { vanity, provider }: { vanity: string; provider: string | undefined },
): Promise<OfferRow | undefined> {
  const { rows } = await sql<OfferRow>`
    select p.uuid, p.button, a.name as account, p.sso_only::integer as sso_only
    from identity_provider p
    join account a on a.uuid = p.account_uuid
    where p.is_on
      and case
        when ${provider ?? null}::uuid is not null then p.uuid = ${provider ?? null}
        when ${vanity} <> '' and exists (
          select from account named
          where lower(${vanity}) = any(string_to_array(replace(lower(named.vanity), ' ', ''), ','))
        ) then lower(${vanity}) = any(string_to_array(replace(lower(a.vanity), ' ', ''), ','))
        else (select count(*) from account) = 1
      end
    order by a.created, p.uuid
    limit 1
  `.execute(db)
  return rows[0]
}
