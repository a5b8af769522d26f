import { type Kysely, sql } from 'kysely'

/** Audit rows are sealed in batches, each account's seals a chain. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // A seal takes in a digest of the detail, made with salt, so that a detail can be erased and not be guessed from what stays.
  // detail_digest is set by the erasure, and only then.
  `alter table audit
    add column seal_number bigint,
    add column detail_salt uuid default gen_random_uuid(),
    add column detail_digest bytea`,
  // what waits to be sealed, asked every minute
  `create index audit_unsealed on audit (account_uuid, id) where seal_number is null`,

  // row_digests: 32 bytes for each of row_ids, so that a changed row can be named; digest covers both and the seal before.
  // Acts of the installation itself belong to no account; their chain has the uuid of zeros.
  `create table audit_seal (
    account_uuid uuid not null,
    number bigint not null,
    sealed_at timestamptz not null,
    row_ids bigint[] not null,
    row_digests bytea not null,
    digest bytea not null,
    primary key (account_uuid, number)
  )`,
]
