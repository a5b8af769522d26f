import type { LinkState } from '@hilum/contract/calls/link'
import { listedLinkUses } from '@hilum/contract/limits'
import type { LinkRight } from '@hilum/contract/link-rights'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type ListSql, totalColumn } from '../list-page.ts'
import { stateOfLink } from './link-session.sql.ts'

export interface LinkRow {
  uuid: string
  sealed_secret: Buffer | null
  study_uuid: string
  account_uuid: string
  namespace_uuid: string
  namespace_name: string
  message: string
  email: string
  has_password: boolean
  password_is_dob: boolean
  max_hits: number | null
  minutes_alive: number
  created: string
  created_by_name: string
  expires_at: string
  state: LinkState
  hits: number
  permissions: LinkRight[]
  uses: { opened_at: string; client_address: string }[]
}

const stamp = (column: RawBuilder<unknown>) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')`

const columns = sql`
  l.uuid, l.sealed_secret, ls.study_uuid, l.account_uuid, n.uuid as namespace_uuid, n.name as namespace_name,
  l.message, l.email, l.password_hash is not null as has_password, l.password_is_dob, l.max_hits,
  round(extract(epoch from l.expires_at - l.created) / 60)::integer as minutes_alive, ${stamp(sql`l.created`)} as created,
  coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as created_by_name,
  ${stamp(sql`l.expires_at`)} as expires_at, ${stateOfLink} as state, l.hits, to_jsonb(l.permissions) as permissions,
  (
    select coalesce(json_agg(json_build_object('opened_at', ${stamp(sql`o.opened_at`)}, 'client_address', o.client_address)
      order by o.opened_at desc, o.uuid), '[]')
    from (
      select uuid, opened_at, client_address
      from link_use
      where link_uuid = l.uuid
      order by opened_at desc, uuid
      limit ${listedLinkUses}
    ) o
  ) as uses`

const fromLinks = sql`
  link_study ls
  join link l on l.uuid = ls.link_uuid
  join namespace n on n.uuid = ls.phi_namespace
  join app_user u on u.uuid = l.created_by`

/** Links to a record. */
export async function listLinks(
  db: Db,
  record: { phi_namespace: string; uuid: string },
  { where, orderBy, limit }: ListSql,
): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select ${columns}, ${totalColumn}
    from ${fromLinks}
    where ls.phi_namespace = ${record.phi_namespace} and ls.study_uuid = ${record.uuid} and ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

export async function findLink(db: Db, uuid: string): Promise<LinkRow | undefined> {
  const { rows } = await sql<LinkRow>`
    select ${columns}
    from ${fromLinks}
    where l.uuid = ${uuid}
    order by ls.study_uuid
    limit 1
  `.execute(db)
  return rows[0]
}
