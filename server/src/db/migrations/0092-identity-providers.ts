import { type Kysely, sql } from 'kysely'

/** Accounts let their people sign in by a provider of identities (OpenID Connect). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table identity_provider (
    uuid uuid primary key,
    account_uuid uuid not null unique references account (uuid) on delete cascade,
    is_on boolean not null,
    button text not null,
    issuer text not null check (issuer <> ''),
    client_id text not null check (client_id <> ''),
    sealed_secret bytea not null,
    scopes text not null,
    email_claim text not null,
    first_claim text not null,
    last_claim text not null,
    groups_claim text not null,
    domains text[] not null,
    -- null: whom no rule gives a role is refused; so too when the role is deleted
    unmapped_role_uuid uuid references role (uuid) on delete set null,
    creates_people boolean not null,
    sso_only boolean not null,
    trusts_second_factor boolean not null,
    acr_values text not null,
    row_version integer not null default 1
  )`,
  // a rule goes with its role or group: whoever had it by this rule has it no more
  `create table identity_rule (
    provider_uuid uuid not null references identity_provider (uuid) on delete cascade,
    place integer not null,
    value text not null check (value <> ''),
    role_uuid uuid references role (uuid) on delete cascade,
    group_uuid uuid references app_group (uuid) on delete cascade,
    primary key (provider_uuid, place),
    check (role_uuid is not null or group_uuid is not null)
  )`,
  // a way to a provider and back; taken once
  `create table identity_flow (
    state_digest bytea primary key,
    uuid uuid not null,
    browser_digest bytea not null,
    provider_uuid uuid not null references identity_provider (uuid) on delete cascade,
    purpose text not null check (purpose in ('sign-in', 'link', 'prove')),
    session_uuid uuid references session (uuid) on delete cascade,
    -- code verifier and nonce, as JSON
    sealed bytea not null,
    expires_at timestamptz not null,
    check ((purpose = 'sign-in') = (session_uuid is null))
  )`,
  `alter table user_identity
    add column email text not null default '',
    -- whether the person connected it while signed in, or a verified address did
    add column by_person boolean not null default false`,
  `alter table session
    add column provider_uuid uuid references identity_provider (uuid) on delete set null,
    -- acr, amr and auth_time as the provider said them
    add column provider_proof jsonb,
    drop constraint session_method,
    add constraint session_method check (method in ('password', 'sso', 'basic', 'oauth', 'key', 'link'))`,
]
