import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { DestinationRow } from './destination.sql.ts'

/**
 * Destinations that were not asked for a while; new and changed ones once that has passed, since people test those
 * themselves.
 */
export async function listToEcho(db: Db, everyMinutes: number): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select d.uuid
    from destination d
    where d.deleted_at is null
      and greatest(d.updated, d.echo_at) <= now() - make_interval(mins => ${everyMinutes})
    order by d.uuid
  `.execute(db)
  return rows.map((row) => row.uuid)
}

/** Notes an answer, or that there was none. An answer from before the address or TLS was changed is forgotten. */
export async function noteEcho(
  db: Db,
  one: Pick<DestinationRow, 'uuid' | 'aetitle' | 'address' | 'port' | 'uses_tls' | 'tls_certificate'>,
  { isOk, message }: { isOk: boolean; message: string },
): Promise<void> {
  await sql`
    update destination
    set echo_at = now(), echo_ok = ${isOk}, echo_message = ${message},
      echo_since = case when echo_ok is not distinct from ${isOk}::boolean then echo_since else now() end
    where uuid = ${one.uuid} and aetitle = ${one.aetitle} and address = ${one.address} and port = ${one.port}
      and uses_tls = ${one.uses_tls} and tls_certificate is not distinct from ${one.tls_certificate}
      and deleted_at is null
  `.execute(db)
}

/** Destinations of an account that do not answer, by name. */
export async function listSilent(db: Db, accountUuid: string): Promise<{ name: string; since: string | null }[]> {
  const { rows } = await sql<{ name: string; since: string | null }>`
    select d.name, to_char(d.echo_since at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as since
    from destination d
    where d.account_uuid = ${accountUuid} and d.deleted_at is null and d.echo_ok = false
    order by d.name, d.uuid
  `.execute(db)
  return rows
}
