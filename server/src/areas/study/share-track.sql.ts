import type { TrackedSend } from '@hilum/contract/calls/study-share'
import { trackedSends } from '@hilum/contract/limits'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { organisationBehind } from './recipient-name.sql.ts'

const stamp = (column: RawBuilder<unknown>) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')`
const nameOf = (uuid: RawBuilder<unknown>) => sql`coalesce(
      (select coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) from app_user u where u.uuid = ${uuid}),
      '')`

/**
 * Where a record went, the last sending first: its shares, and the links that were mailed, each with when the images were
 * first looked at and first downloaded there. People of other accounts are not named.
 */
export async function listTracked(db: Db, studyUuid: string): Promise<TrackedSend[]> {
  const { rows } = await sql<TrackedSend>`
    select t.kind, t.uuid, t.name, t.by_code, t.by_name, ${stamp(sql`t.created`)} as created, t.state,
      ${stamp(sql`t.delivered_at`)} as delivered_at, t.failure, t.error, t.opens, ${stamp(sql`t.opened_at`)} as opened_at,
      coalesce(t.opened_by, '') as opened_by, ${stamp(sql`t.downloaded_at`)} as downloaded_at,
      coalesce(t.downloaded_by, '') as downloaded_by, ${stamp(sql`t.due_at`)} as due_at
    from (${shares(studyUuid)} union all ${links(studyUuid)}) t
    order by t.created desc, t.uuid, t.key
    limit ${trackedSends}
  `.execute(db)
  return rows
}

const shares = (studyUuid: string) => sql`
  select h.to_kind as kind, h.to_uuid as uuid, h.uuid as key, n.name || ${organisationBehind('n', 's')} as name, h.by_code::integer as by_code,
    ${nameOf(sql`h.by_user`)} as by_name, h.created,
    case
      when h.state = 'delivered' and h.expires_at <= now() then 'ended'
      when h.state = 'stopped' then 'ended'
      when h.state = 'delivered' and (h.awaits_approval or r.must_approve) then 'waiting'
      else h.state
    end as state,
    h.delivered_at, h.failure, h.reply as error, case when h.state = 'scheduled' then h.run_at end as due_at,
    coalesce(seen.opens, 0)::integer as opens, seen.opened_at, seen.downloaded_at,
    case when r.account_uuid = s.account_uuid then seen.opened_by end as opened_by,
    case when r.account_uuid = s.account_uuid then seen.downloaded_by end as downloaded_by
  from share h
  join study s on s.uuid = h.study_uuid
  join namespace n on n.owner_uuid = h.to_uuid and n.kind = h.to_kind
  left join lateral (
    select r.uuid, r.account_uuid, r.must_approve
    from study r
    where r.phi_namespace = h.to_namespace and r.study_uid = s.study_uid and r.created <= coalesce(h.ended_at, now())
    order by r.created desc, r.uuid
    limit 1
  ) r on h.delivered_at is not null
  left join lateral (
    select count(*) filter (where a.action = 'STUDY_VIEW') as opens,
      min(a.at) filter (where a.action = 'STUDY_VIEW') as opened_at,
      min(a.at) filter (where a.action = 'STUDY_DOWNLOAD') as downloaded_at,
      (array_agg(a.actor_name order by a.at, a.id) filter (where a.action = 'STUDY_VIEW'))[1] as opened_by,
      (array_agg(a.actor_name order by a.at, a.id) filter (where a.action = 'STUDY_DOWNLOAD'))[1] as downloaded_by
    from audit a
    where a.object_uuid = r.uuid and a.action in ('STUDY_VIEW', 'STUDY_DOWNLOAD') and a.at >= h.delivered_at
      and a.at <= coalesce(h.ended_at, now())
  ) seen on true
  where h.study_uuid = ${studyUuid}`

const links = (studyUuid: string) => sql`
  select 'email', l.uuid, l.uuid, l.email, 0, ${nameOf(sql`l.created_by`)}, l.created,
    case
      when l.send_failure is not null then 'failed'
      when m.given_up and l.ended_at is null then 'failed'
      when l.ended_at is not null or l.expires_at <= now() then 'ended'
      when l.is_sent and l.mail_uuid is null then 'scheduled'
      when m.cancelled then 'cancelled'
      when m.held then 'held'
      when m.returned_at is not null then 'returned'
      when m.sent_at is null and m.last_error is not null then 'retried'
      when m.uuid is not null and m.sent_at is null then 'queued'
      else 'delivered'
    end,
    m.sent_at, l.send_failure, coalesce(m.last_error, ''), case when l.is_sent and l.mail_uuid is null then l.mail_at end, l.hits,
    (select min(o.opened_at) from link_use o where o.link_uuid = l.uuid),
    (
      select min(a.at)
      from audit a
      where a.object_uuid = ls.study_uuid and a.actor = l.uuid and a.action = 'STUDY_DOWNLOAD'
    ),
    '', ''
  from link_study ls
  join link l on l.uuid = ls.link_uuid
  left join mail m on m.uuid = l.mail_uuid
  where ls.study_uuid = ${studyUuid} and l.email <> ''`
