import { sql } from 'kysely'
import { isOwnStoredOf } from '../../access/record-sources.sql.ts'
import type { Tx } from '../../db/database.ts'

/** The images that the exam of upload `p` has now, or had at an earlier end; null where it is gone. */
const cameCount = sql`greatest(p.came_count, (
      select t.image_count + t.conflict_count
      from study s
      join stored_study t on ${isOwnStoredOf('s')}
      where s.phi_namespace = p.namespace_uuid and s.study_uid = p.study_uid and s.deleted_at is null
    ))`

/** Notes that a study was sent as a whole, and tells whether that was said before. Undefined where no image of it came. */
export async function endUpload(
  tx: Tx,
  linkUuid: string,
  studyUid: string,
): Promise<{ had_ended: boolean } | undefined> {
  const { rows } = await sql<{ had_ended: boolean }>`
    with before as (
      select link_uuid, study_uid, ended_at
      from link_upload
      where link_uuid = ${linkUuid} and study_uid = ${studyUid} and first_at is not null
      for update
    )
    update link_upload p
    set ended_at = coalesce(b.ended_at, now()),
      came_count = case when b.ended_at is null then ${cameCount} else p.came_count end
    from before b
    where p.link_uuid = b.link_uuid and p.study_uid = b.study_uid
    returning b.ended_at is not null as had_ended
  `.execute(tx)
  return rows[0]
}

/** An upload by a request that ended; `uuid` is null where the study is not there any more. */
export interface EndedUpload {
  account_uuid: string
  phi_namespace: string
  uuid: string | null
  must_approve: boolean
  /** The request by which it came, or the place of the share code. */
  said_by: string
}

/**
 * Ends the uploads whose sender said nothing more: those of studies that receive no longer, or are gone. Another worker's
 * are left to it.
 */
export async function endQuietUploads(tx: Tx): Promise<(EndedUpload & { link_uuid: string })[]> {
  const { rows } = await sql<EndedUpload & { link_uuid: string }>`
    with quiet as (
      select p.link_uuid, p.study_uid
      from link_upload p
      where p.first_at is not null and p.ended_at is null
        and not exists (
          select
          from study s
          where s.phi_namespace = p.namespace_uuid and s.study_uid = p.study_uid and s.deleted_at is null
            and s.arrival in ('announced', 'receiving')
        )
      order by p.link_uuid, p.study_uid
      limit 100
      for update skip locked
    ), ended as (
      update link_upload p
      set ended_at = now(), came_count = ${cameCount}
      from quiet
      where p.link_uuid = quiet.link_uuid and p.study_uid = quiet.study_uid
      returning p.link_uuid, p.namespace_uuid, p.study_uid
    )
    select e.link_uuid, case when r.by_share_code then n.uuid else e.link_uuid end as said_by, n.account_uuid, n.uuid as phi_namespace, s.uuid, coalesce(s.must_approve, false) as must_approve
    from ended e
    join namespace n on n.uuid = e.namespace_uuid
    join link_request r on r.link_uuid = e.link_uuid
    left join study s on s.phi_namespace = n.uuid and s.study_uid = e.study_uid and s.deleted_at is null
    order by e.link_uuid, e.study_uid
  `.execute(tx)
  return rows
}
