import { sql } from 'kysely'
import { isLive } from '../../access/record-sources.sql.ts'
import { sourcesOf } from '../../access/source-rows.sql.ts'
import type { Tx } from '../../db/database.ts'
import type { LockedStoredStudy } from '../storage/ingest.sql.ts'

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

/** Whether stored studies hold images whose bytes belong to another account. */
export async function hasImagesOfOtherAccounts(
  tx: Tx,
  stored: readonly LockedStoredStudy[],
  accountUuid: string,
): Promise<boolean> {
  const { rows } = await sql`
    select
    from unnest(
      ${stored.map((one) => one.storage_namespace)}::uuid[],
      ${stored.map((one) => one.key)}::bigint[]
    ) as r (storage_namespace, study_key)
    join instance i on i.storage_namespace = r.storage_namespace and i.study_key = r.study_key
    where i.account_uuid <> ${accountUuid}
    limit 1
  `.execute(tx)
  return rows.length > 0
}
