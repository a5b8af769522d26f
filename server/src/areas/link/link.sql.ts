import type { LinkRight } from '@hilum/contract/link-rights'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

export interface NewLink {
  uuid: string
  accountUuid: string
  createdBy: string
  permissions: readonly LinkRight[]
  expiresAt: Date
  studies: readonly { phi_namespace: string; uuid: string }[]
}

/** Notes a link and the records that it shows. */
export async function addLink(tx: Tx, link: NewLink): Promise<void> {
  await sql`
    insert into link (uuid, account_uuid, created_by, permissions, expires_at)
    values (${link.uuid}, ${link.accountUuid}, ${link.createdBy}, ${[...link.permissions]}::text[], ${link.expiresAt})
  `.execute(tx)
  await sql`
    insert into link_study (link_uuid, phi_namespace, study_uuid)
    select ${link.uuid}, namespace, study
    from unnest(${link.studies.map((one) => one.phi_namespace)}::uuid[], ${link.studies.map((one) => one.uuid)}::uuid[])
      as named (namespace, study)
  `.execute(tx)
}

/** Ends a link at once, and what is open through it. False when it had ended. */
export async function endLink(db: Db, uuid: string): Promise<boolean> {
  const { rows } = await sql`
    update link
    set ended_at = now()
    where uuid = ${uuid} and ended_at is null and expires_at > now()
    returning 1
  `.execute(db)
  return rows.length > 0
}

/**
 * Adds a session of a link, for so many minutes and no longer than the link lasts.
 * @returns its end and the account of the link; undefined when the link has ended
 */
export async function addLinkSession(
  tx: Tx,
  session: {
    uuid: string
    sidDigest: Buffer
    linkUuid: string
    minutes: number
    clientAddress: string
    userAgent: string
  },
): Promise<{ expires: string; account_uuid: string } | undefined> {
  const { uuid, sidDigest, linkUuid, minutes, clientAddress, userAgent } = session
  const { rows } = await sql<{ expires: string; account_uuid: string }>`
    with live as (
      select uuid, account_uuid, least(expires_at, now() + make_interval(mins => ${minutes})) as ends
      from link
      where uuid = ${linkUuid} and ended_at is null and expires_at > now()
      for share
    ), added as (
      insert into session (uuid, sid_digest, link_uuid, client_address, user_agent, method, idle_minutes, expires_at)
      select ${uuid}, ${sidDigest}, live.uuid, ${clientAddress}, ${userAgent}, 'link', ${minutes}, live.ends
      from live
      returning expires_at
    )
    select to_char(added.expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as expires, live.account_uuid
    from added, live
  `.execute(tx)
  return rows[0]
}
