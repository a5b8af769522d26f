import { type RawBuilder, sql } from 'kysely'
import { isOwnStoredOf } from '../../access/record-sources.sql.ts'
import type { Tx } from '../../db/database.ts'
import { hasOpenSession } from './link-session.sql.ts'
import { isIncompleteUpload } from './link-upload.sql.ts'

/** The person who is notified of a link's use, and the group in which its answer is found. */
export interface UseNotice {
  account_uuid: string
  notify: string[]
  /** Null where the request is for another place than a group. */
  group_uuid: string | null
}

const noticeColumns = (more: RawBuilder<unknown> = sql``) => sql`
  select l.account_uuid, to_jsonb(l.notify) as notify, case when n.kind = 'group' then n.owner_uuid end as group_uuid${more}
  from link l
  left join link_request r on r.link_uuid = l.uuid
  left join namespace n on n.uuid = r.namespace_uuid`

/** The end of what came by a request. */
interface EndNotice extends UseNotice {
  /** Of a study fewer images came than its sender announced. */
  is_incomplete: boolean
}

/** Notes the beginning of a request's answer; undefined when it had begun before. */
export async function noteBegun(tx: Tx, linkUuid: string): Promise<UseNotice | undefined> {
  const { rows } = await sql<UseNotice>`
    with begun as (
      update link_request
      set begun_at = now()
      where link_uuid = ${linkUuid} and begun_at is null
      returning link_uuid
    )
    ${noticeColumns()}
    where l.uuid in (select link_uuid from begun)
  `.execute(tx)
  return rows[0]
}

/** Something was announced by this link that may begin to come at any moment: its sender is there, and sent of late. */
const comesSoon = (linkUuid: string) => sql`(
          exists (
            select
            from link_upload o
            where o.link_uuid = ${linkUuid} and o.first_at is null and o.ended_at is null
          )
          and exists (
            select
            from link_upload o
            where o.link_uuid = ${linkUuid} and o.ended_at > now() - interval '1 minute'
          )
          and exists (select from link l where l.uuid = ${linkUuid} and ${hasOpenSession})
        )`

/** Ends of one request that are told as they come; later ones are told together, once in so many minutes. */
const endsAtOnce = 3
const minutesBetweenEnds = 15

/** Whether the end of request `r` may be told now: whoever has its address ends it as often as the person likes. */
const mayTellEnd = sql`(
  r.ends_told < ${endsAtOnce} or r.end_told_at < now() - make_interval(mins => ${minutesBetweenEnds}))`

/** Requests of whose end nobody was told yet, and may be now. Uses link_upload_untold. */
export async function listUntold(tx: Tx, most: number): Promise<string[]> {
  const { rows } = await sql<{ link_uuid: string }>`
    select distinct p.link_uuid
    from link_upload p
    join link_request r on r.link_uuid = p.link_uuid
    where p.ended_at is not null and p.told_at is null and ${mayTellEnd}
    order by p.link_uuid
    limit ${most}
  `.execute(tx)
  return rows.map((row) => row.link_uuid)
}

/**
 * Notes that the end is told, once all that began to come has come and nothing else is about to; undefined before, and
 * when nothing is new, or it was told often of late: the worker tells it then.
 */
export async function noteEnded(tx: Tx, linkUuid: string): Promise<EndNotice | undefined> {
  // of two ends at once the second one sees the first
  await sql`select from link_request where link_uuid = ${linkUuid} for update`.execute(tx)
  const { rows } = await sql<EndNotice>`
    with news as (
      update link_upload
      set told_at = now()
      where link_uuid = ${linkUuid} and ended_at is not null and told_at is null
        and not exists (
          select
          from link_upload o
          where o.link_uuid = ${linkUuid} and o.first_at is not null and o.ended_at is null
        )
        and not ${comesSoon(linkUuid)}
        and exists (select from link_request r where r.link_uuid = ${linkUuid} and ${mayTellEnd})
      returning link_uuid, study_uid
    ), noted as (
      update link_request
      set ends_told = ends_told + 1, end_told_at = now()
      where link_uuid in (select link_uuid from news)
    )
    ${noticeColumns(sql`,
      exists (
        select
        from news w
        join link_upload p on p.link_uuid = w.link_uuid and p.study_uid = w.study_uid
        join study s on s.phi_namespace = p.namespace_uuid and s.study_uid = p.study_uid and s.deleted_at is null
        left join stored_study t on ${isOwnStoredOf('s')}
        where ${isIncompleteUpload}
      ) as is_incomplete`)}
    where l.uuid in (select link_uuid from news)
  `.execute(tx)
  return rows[0]
}

/** Whom the opening of a link is told to. */
export async function findUseNotice(tx: Tx, linkUuid: string): Promise<UseNotice | undefined> {
  const { rows } = await sql<UseNotice>`
    ${noticeColumns()}
    where l.uuid = ${linkUuid}
  `.execute(tx)
  return rows[0]
}
