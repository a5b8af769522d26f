import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

/** The chain of acts that belong to no account. */
export const noAccount = '00000000-0000-0000-0000-000000000000'

export interface Seal {
  account_uuid: string
  number: number
  sealed_at: Date
  row_ids: number[]
  /** 32 bytes for each of `row_ids`. */
  row_digests: Buffer
  digest: Buffer
}

/** A sealed row as it is now. */
export interface SealedRow {
  id: number
  /** Hex. */
  digest: string
  at: Date
  account_uuid: string
  seal_number: number | null
}

/** The digest of a row's detail, kept in the row once the detail is erased. */
const detailDigest = sql`coalesce(a.detail_digest, sha256(uuid_send(a.detail_salt) || convert_to(a.detail::text, 'UTF8')))`

/** Everything a row says but its number, which the seal lists: so a row under another's number is known again. */
const rowDigest = sql`sha256(convert_to((jsonb_build_array(
  a.account_uuid, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), a.actor, a.actor_name, a.proxy, a.action, a.type,
  a.object_uuid, a.phi_namespace, a.client_address, encode(${detailDigest}, 'hex')
) || case when a.actor_kind is null then '[]' else jsonb_build_array(a.actor_kind) end)::text, 'UTF8'))`

const chainOf = sql`coalesce(a.account_uuid, ${noAccount}::uuid)`

/** Accounts that have unsealed rows. */
export async function listAccountsToSeal(db: Db): Promise<string[]> {
  const { rows } = await sql<{ account_uuid: string }>`
    select distinct ${chainOf} as account_uuid
    from audit a
    where a.seal_number is null
    order by 1
  `.execute(db)
  return rows.map((row) => row.account_uuid)
}

/** Makes two processes seal one account one after the other; writers of audit rows do not wait for it. */
export async function lockChain(tx: Tx, accountUuid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('audit_seal ' || ${accountUuid}::text, 0))`.execute(tx)
}

export async function findLastSeal(db: Db, accountUuid: string): Promise<Pick<Seal, 'number' | 'digest'> | undefined> {
  const { rows } = await sql<Pick<Seal, 'number' | 'digest'>>`
    select number, digest
    from audit_seal
    where account_uuid = ${accountUuid}
    order by number desc
    limit 1
  `.execute(db)
  return rows[0]
}

/** Marks the next unsealed rows of an account as belonging to a seal; gives them in the order of their numbers. */
export async function takeRowsToSeal(
  tx: Tx,
  accountUuid: string,
  sealNumber: number,
  limit: number,
): Promise<{ id: number; digest: Buffer }[]> {
  const { rows } = await sql<{ id: number; digest: Buffer }>`
    with next as (
      select a.id, a.at
      from audit a
      where a.seal_number is null
        and a.account_uuid is not distinct from ${accountUuid === noAccount ? null : accountUuid}::uuid
      order by a.id
      limit ${limit}
    ), taken as (
      update audit a
      set seal_number = ${sealNumber}
      from next
      where a.id = next.id and a.at = next.at
      returning a.id, ${rowDigest} as digest
    )
    select id, digest
    from taken
    order by id
  `.execute(tx)
  return rows
}

export async function insertSeal(tx: Tx, seal: Seal): Promise<void> {
  await sql`
    insert into audit_seal (account_uuid, number, sealed_at, row_ids, row_digests, digest)
    values (${seal.account_uuid}, ${seal.number}, ${seal.sealed_at}, ${seal.row_ids}, ${seal.row_digests}, ${seal.digest})
  `.execute(tx)
}

/** Seals in the order of accounts and numbers, from behind `after` on; of one account where it is named. */
export async function listSealsAfter(
  db: Db,
  after: Pick<Seal, 'account_uuid' | 'number'> | undefined,
  limit: number,
  accountUuid?: string,
): Promise<Seal[]> {
  const { rows } = await sql<Omit<Seal, 'row_ids'> & { row_ids: string[] }>`
    select account_uuid, number, sealed_at, row_ids, row_digests, digest
    from audit_seal
    where (
        ${after?.account_uuid ?? null}::uuid is null
        or (account_uuid, number) > (${after?.account_uuid ?? null}::uuid, ${after?.number ?? 0}::bigint)
      )
      and (${accountUuid ?? null}::uuid is null or account_uuid = ${accountUuid ?? null}::uuid)
    order by account_uuid, number
    limit ${limit}
  `.execute(db)
  return rows.map((row) => ({ ...row, row_ids: row.row_ids.map(Number) }))
}

/** Rows by their numbers, of whatever account. */
export async function listRowsByNumber(db: Db, ids: readonly number[]): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select a.id, encode(${rowDigest}, 'hex') as digest, a.at, ${chainOf} as account_uuid, a.seal_number
    from audit a
    where a.id = any(${ids as number[]}::bigint[])
    order by a.id, a.at
  `.execute(db)
  return rows
}

export interface PlacedRow {
  id: number
  at: Date
  /** With microseconds, which a Date has not. */
  at_text: string
  account_uuid: string
  seal_number: number | null
  /** Whether the seal that it names lists it. */
  is_listed: boolean
}

/** All rows in the order of their numbers, from behind `after` on; of one account where it is named. */
export async function listPlacedRows(
  db: Db,
  after: Pick<PlacedRow, 'id' | 'at_text'> | undefined,
  limit: number,
  accountUuid?: string,
): Promise<PlacedRow[]> {
  const { rows } = await sql<PlacedRow>`
    select a.id, a.at, a.at::text as at_text, ${chainOf} as account_uuid, a.seal_number,
      exists (
        select
        from audit_seal s
        where s.account_uuid = ${chainOf} and s.number = a.seal_number and a.id = any(s.row_ids)
      ) as is_listed
    from audit a
    where (
        ${after?.id ?? null}::bigint is null
        or (a.id, a.at) > (${after?.id ?? null}::bigint, ${after?.at_text ?? null}::timestamptz)
      )
      and (${accountUuid ?? null}::uuid is null or a.account_uuid = ${accountUuid ?? null}::uuid)
    order by a.id, a.at
    limit ${limit}
  `.execute(db)
  return rows
}
