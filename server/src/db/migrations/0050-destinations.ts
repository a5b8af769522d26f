import { type Kysely, sql } from 'kysely'

/**
 * DICOM nodes that an organisation queries, retrieves from and pushes to (`destination`), and the nodes of our own by
 * whose AE titles they know us (`node`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table node (
    uuid uuid primary key,
    account_uuid uuid not null references account (uuid),
    serial_no integer generated always as identity,
    name text not null,
    type text not null,
    -- the title that we call by, and that a peer sends to when we retrieve
    aetitle text not null,
    created timestamptz not null default now(),
    updated timestamptz not null default now()
  )`,
  // the node that a calling peer names
  `create unique index node_aetitle on node (aetitle)`,
  `create index node_of_account on node (account_uuid)`,
  `create table destination (
    uuid uuid primary key,
    account_uuid uuid not null references account (uuid),
    node_uuid uuid not null references node (uuid),
    name text not null,
    type text not null,
    aetitle text not null,
    address text not null,
    port integer not null check (port between 1 and 65535),
    uses_tls boolean not null default false,
    -- PEM of the certificate, or of its authority, that the peer must show; null: one that this machine trusts
    tls_certificate text,
    can_search boolean not null default false,
    can_search_mwl boolean not null default false,
    can_query_retrieve boolean not null default false,
    can_push boolean not null default true,
    retrieve_method text not null default 'auto' check (retrieve_method in ('auto', 'move', 'get')),
    -- groups that may use it; null: every group of the account
    group_uuids uuid[],
    max_associations integer not null default 2 check (max_associations between 1 and 16),
    sort_order integer,
    -- outcome of the last test, as destination/test gives it
    health jsonb,
    created timestamptz not null default now(),
    updated timestamptz not null default now(),
    -- pushes that were made stay on record
    deleted_at timestamptz
  )`,
  `create index destination_of_account on destination (account_uuid) where deleted_at is null`,
  // one peer under one title is one destination
  `create unique index destination_once on destination (account_uuid, aetitle, lower(address), port)
    where deleted_at is null`,
]
