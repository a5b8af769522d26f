import type { AccountSetting } from '@hilum/contract/account-settings'
import type { CopyRefusal } from '@hilum/contract/calls/study-duplicate'
import { sql } from 'kysely'
import { isLive } from '../../access/record-sources.sql.ts'
import { sourcesOf } from '../../access/source-rows.sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { BlobRow, LockedStoredStudy } from '../storage/ingest.sql.ts'

const copiesSetting: AccountSetting = 'allow_copies'

/** The records from which a record has images by shares that are not over. */
export async function listSendersOf(
  tx: Tx,
  key: { phi_namespace: string; uuid: string },
): Promise<{ phi_namespace: string; uuid: string; account_uuid: string }[]> {
  const { rows } = await sql<{ phi_namespace: string; uuid: string; account_uuid: string }>`
    select distinct f.phi_namespace, f.uuid, f.account_uuid
    from ${sourcesOf(key)} o
    join share h on h.uuid = o.share_uuid
    join study f on f.phi_namespace = h.from_namespace and f.uuid = h.study_uuid
    where ${isLive}
    order by f.phi_namespace, f.uuid
  `.execute(tx)
  return rows
}

/** Notes from which records the own images of a record were copied, unless it had images of its own before. */
export async function markCopied(
  tx: Tx,
  key: { phi_namespace: string; uuid: string },
  origins: readonly string[],
  isFirst: boolean,
): Promise<void> {
  await sql`
    update study_source o
    set copied_from = array(
      select distinct origin from unnest(coalesce(o.copied_from, '{}') || ${origins as string[]}::uuid[]) as origin
    )
    where o.phi_namespace = ${key.phi_namespace} and o.study_uuid = ${key.uuid} and o.share_uuid is null
      and (${isFirst} or o.copied_from is not null)
  `.execute(tx)
}

/**
 * Why no copy of images of other accounts may be kept in a record. Purged origins are told by the audit, and one of which
 * nothing is known counts as that of an account that allows none. Uses audit_of_object.
 * @param origins uuids of the records that the images come from
 */
export async function findCopyRefusal(
  db: Db,
  record: { phi_namespace: string; uuid: string; account_uuid: string },
  origins: readonly string[],
): Promise<CopyRefusal | undefined> {
  const { rows } = await sql<{ refusal: CopyRefusal }>`
    select case when f.is_allowed then 'own_images' else 'allow_copies' end as refusal
    from (
      select exists (
          select
          from setting v
          where v.scope = 'account' and v.scope_uuid = f.account_uuid and v.key = ${copiesSetting} and v.value = '1'
        ) as is_allowed
      from unnest(${origins as string[]}::uuid[]) as o (uuid)
      left join lateral (
        select s.account_uuid
        from study s
        where s.uuid = o.uuid
        union all
        select a.account_uuid
        from audit a
        where a.object_uuid = o.uuid and a.action = 'PURGE' and a.type = 'Study'
        limit 1
      ) f on true
      where f.account_uuid is distinct from ${record.account_uuid}::uuid
    ) f
    where not f.is_allowed
      or exists (select from ${sourcesOf(record)} o where o.share_uuid is null and o.copied_from is null)
    order by f.is_allowed
    limit 1
  `.execute(db)
  return rows[0]?.refusal
}

/**
 * The bytes of images of stored studies that belong to other accounts, each once, as rows of this account. Nothing takes
 * the bytes away until the end of the transaction.
 */
export async function lockBytesOfOthers(
  tx: Tx,
  stored: readonly LockedStoredStudy[],
  accountUuid: string,
): Promise<BlobRow[]> {
  const { rows } = await sql<BlobRow>`
    select ${accountUuid}::uuid as account_uuid, encode(b.sha256, 'hex') as sha256, 1 as generation, b.object_key,
      b.byte_offset::float8 as byte_offset, b.length::float8 as length, b.crc32::float8 as crc32
    from blob b
    where (b.account_uuid, b.sha256, b.generation) in (
        select i.account_uuid, i.sha256, i.generation
        from unnest(
          ${stored.map((one) => one.storage_namespace)}::uuid[],
          ${stored.map((one) => one.key)}::bigint[]
        ) as r (storage_namespace, study_key)
        join instance i on i.storage_namespace = r.storage_namespace and i.study_key = r.study_key
        where i.account_uuid <> ${accountUuid}
      )
    order by b.account_uuid, b.sha256, b.generation
    for share of b
  `.execute(tx)
  return [...new Map(rows.map((row) => [row.sha256, row])).values()]
}

/** The name of an account, for the history of another. */
export async function findNameOfAccount(db: Db, accountUuid: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from account where uuid = ${accountUuid}`.execute(db)
  return rows[0]?.name ?? ''
}
