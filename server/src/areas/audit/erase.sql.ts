import type { AuditAct } from '@hilum/contract/audit-acts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

/** How the record of an erasure is called; its detail lists the rows in `audit_ids`. */
export const erasureAction = 'AUDIT_ERASE' satisfies AuditAct

/**
 * Empties the detail of rows and keeps its digest, with which their seals stay true; the salt goes with the detail, so
 * that nobody finds out by trying what stood there. Gives the rows that had a detail to erase.
 */
export async function eraseAuditDetails(
  tx: Tx,
  ids: readonly number[],
): Promise<{ id: number; account_uuid: string | null }[]> {
  const { rows } = await sql<{ id: number; account_uuid: string | null }>`
    update audit a
    set detail_digest = sha256(uuid_send(a.detail_salt) || convert_to(a.detail::text, 'UTF8')),
      detail_salt = null,
      detail = '{}'
    where a.id = any(${ids as number[]}::bigint[])
      and a.detail_digest is null
      and a.action <> ${erasureAction}
    returning a.id, a.account_uuid
  `.execute(tx)
  return rows
}

/** Rows whose detail is said to be erased, but is not, or by nobody on record. */
export async function listDoubtfulErasures(
  db: Db,
  accountUuid?: string,
): Promise<{ id: number; account_uuid: string | null }[]> {
  const { rows } = await sql<{ id: number; account_uuid: string | null }>`
    with recorded as materialized (
      select (jsonb_array_elements_text(e.detail -> 'audit_ids'))::bigint as id
      from audit e
      where e.action = ${erasureAction} and jsonb_typeof(e.detail -> 'audit_ids') = 'array'
    )
    select a.id, a.account_uuid
    from audit a
    where (a.detail_digest is not null or a.detail_salt is null)
      and (${accountUuid ?? null}::uuid is null or a.account_uuid = ${accountUuid ?? null}::uuid)
      and (
        a.detail_digest is null
        or a.detail_salt is not null
        or a.detail <> '{}'
        or not exists (select from recorded r where r.id = a.id)
      )
    order by a.id
  `.execute(db)
  return rows
}
