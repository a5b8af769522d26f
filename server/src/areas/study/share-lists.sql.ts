import type { StudyShareAccess, studyShareAccess } from '@hilum/contract/calls/study-share'
import type { OutputOf } from '@hilum/contract/call'
import { failedShareDays } from '@hilum/contract/limits'
import { type RawBuilder, sql } from 'kysely'
import { sourcesByShare, sourcesOf } from '../../access/source-rows.sql.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Db } from '../../db/database.ts'
import { nameOfUser, recipientName } from './recipient-name.sql.ts'
import { storedOf } from '../storage/record-images.sql.ts'

export interface ShareTargetRow {
  to_kind: 'account' | 'group' | 'location' | 'user'
  to_uuid: string
  name: string
}

const stamp = (column: RawBuilder<unknown>) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')`

/** Share `h` gives access now, or will; an earlier one no longer than that which it goes with. */
const isUnder = sql`(h.state in ('scheduled', 'delivered') and (h.expires_at is null or h.expires_at > now())
        and not exists (select from share g where g.uuid = h.goes_with and g.state = 'delivered' and g.expires_at <= now()))`

/** The record that share `h` gave images has images of its own besides. */
export const hasCopyBy = sql`exists (
        select
        from ${sourcesByShare} o
        join study r on r.phi_namespace = o.phi_namespace and r.uuid = o.study_uuid and r.deleted_at is null
        join lateral ${sourcesOf('r')} own on own.share_uuid is null
      )`

/** Images that came after share `h` was delivered to the studies that it gave. */
const lateImages = sql`(
        select count(*)::integer
        from (select distinct o.storage_namespace, o.generation from ${sourcesByShare} o) g
        join study f on f.uuid = h.study_uuid
        join stored_study t on t.storage_namespace = g.storage_namespace and t.study_uid = f.study_uid and t.generation = g.generation
        join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key
        where h.state = 'delivered' and i.is_primary and i.arrived > h.delivered_at
      )`

/** Share `h` was delivered, and nobody there has approved it yet. */
const awaitsApproval = sql`(h.state = 'delivered' and (h.awaits_approval or exists (
        select
        from ${sourcesByShare} o
        join study r on r.phi_namespace = o.phi_namespace and r.uuid = o.study_uuid and r.deleted_at is null
        where r.must_approve
      )))`

/** With whom a study is shared at present, by name. */
export async function listShareTargets(db: Db, studyUuid: string): Promise<ShareTargetRow[]> {
  const { rows } = await sql<ShareTargetRow>`
    select h.to_kind, h.to_uuid, ${recipientName} as name
    from share h
    where h.study_uuid = ${studyUuid} and ${isUnder} and h.goes_with is null
    order by name, h.to_uuid
  `.execute(db)
  return rows
}

/** Shares of a study with users, groups, locations and accounts; of a delayed one that failed the last to each, for some days. */
export async function listAccess(db: Db, studyUuid: string): Promise<StudyShareAccess[]> {
  const { rows } = await sql<StudyShareAccess>`
    select h.kind, h.uuid, h.name, h.by_code, h.user_email, h.state, h.failure, h.reply, h.awaits_approval, h.message, h.by_name, h.created, h.run_at,
      h.expires_at, h.expires, h.has_copy, h.late_image_count
    from (
      select distinct on (h.to_kind, h.to_uuid) h.to_kind as kind, h.to_uuid as uuid,
        ${recipientName} as name,
        h.by_code::integer as by_code, coalesce((select u.email from app_user u where h.to_kind = 'user' and u.uuid = h.to_uuid), '') as user_email,
        h.state, h.failure, h.reply, ${awaitsApproval} as awaits_approval, h.message, coalesce(${nameOfUser(sql`h.by_user`)}, '') as by_name,
        ${stamp(sql`h.created`)} as created, ${stamp(sql`h.run_at`)} as run_at,
        ${stamp(sql`h.expires_at`)} as expires_at, h.minutes as expires, h.state = 'delivered' and ${hasCopyBy} as has_copy,
        ${lateImages} as late_image_count
      from share h
      where h.study_uuid = ${studyUuid}
        and h.to_kind in ('user', 'group', 'location', 'account')
        and (${isUnder} or (h.state = 'failed' and h.ended_at > now() - make_interval(days => ${failedShareDays})))
      order by h.to_kind, h.to_uuid, h.state = 'delivered' desc, h.created desc, h.uuid
    ) h
    order by h.kind desc, lower(h.name), h.uuid
  `.execute(db)
  return rows
}

/** Whether a record has images that no share gave. */
export async function hasOwnImages(db: Db, key: { phi_namespace: string; uuid: string }): Promise<boolean> {
  const { rows } = await sql`
    select
    from ${sourcesOf(key)} o
    where o.share_uuid is null
    limit 1
  `.execute(db)
  return rows.length > 0
}

/** Whether a record has images of its own, and all that shares give it are among them. */
export async function hasAllAsOwn(db: Db, record: StudyRecord): Promise<boolean> {
  if (!(await hasOwnImages(db, record))) return false
  const { rows } = await sql`
    with ${storedOf(record)}
    select
    from h
    join instance i on i.storage_namespace = h.storage_namespace and i.study_key = h.key and i.is_primary
    where h.storage_namespace <> ${record.phi_namespace}
      and not exists (
        select
        from h own
        join instance n on n.storage_namespace = own.storage_namespace and n.study_key = own.key
        where own.storage_namespace = ${record.phi_namespace} and n.series_uid = i.series_uid and n.sop_uid = i.sop_uid
      )
    limit 1
  `.execute(db)
  return rows.length === 0
}

/** Senders of images of a record by a request or with a share code, as they call themselves. Uses link_upload_of_study. */
export async function listOutsideSenders(
  db: Db,
  record: StudyRecord,
): Promise<OutputOf<typeof studyShareAccess>['sent_by']> {
  const { rows } = await sql<OutputOf<typeof studyShareAccess>['sent_by'][number]>`
    select r.sender, r.by_share_code::integer as by_share_code, coalesce(${nameOfUser(sql`l.created_by`)}, '') as requested_by
    from link_upload p
    join link_request r on r.link_uuid = p.link_uuid
    join link l on l.uuid = p.link_uuid
    where p.namespace_uuid = ${record.phi_namespace} and p.study_uid = ${record.study_uid} and p.first_at is not null
    order by p.first_at, p.link_uuid
  `.execute(db)
  return rows
}

/** The live shares by which a record has sources. */
export async function listReceived(db: Db, key: StudyRecord): Promise<OutputOf<typeof studyShareAccess>['received']> {
  const { rows } = await sql<OutputOf<typeof studyShareAccess>['received'][number]>`
    select n.name as from_name,
      case when n.kind <> 'account' and n.account_uuid <> ${key.account_uuid}
        then coalesce((select a.name from account a where a.uuid = n.account_uuid), '') else '' end as from_account,
      coalesce(${nameOfUser(sql`h.by_user`)}, '') as by_name, h.message,
      h.awaits_approval or exists (
        select
        from study s
        where s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid} and s.must_approve
      ) as awaits_approval,
      ${stamp(sql`h.delivered_at`)} as delivered_at, ${stamp(sql`least(h.expires_at, r.ends_at)`)} as expires_at,
      ${lateImages} as late_image_count
    from (
      select o.share_uuid, case when bool_and(o.ends_at is not null) then max(o.ends_at) end as ends_at
      from ${sourcesOf(key)} o
      where o.share_uuid is not null
      group by o.share_uuid
    ) r
    join share h on h.uuid = r.share_uuid
    join namespace n on n.uuid = h.from_namespace
    where h.state = 'delivered' and ${isUnder}
    order by h.delivered_at, h.uuid
  `.execute(db)
  return rows
}
