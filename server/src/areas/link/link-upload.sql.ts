import type { ExpectedExam, ExpectedPatient } from '@hilum/contract/calls/link'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

/** A request that somebody opened, and may upload by. */
export interface OpenRequest {
  link_uuid: string
  namespace_uuid: string
  account_uuid: string
  account_name: string
  namespace_name: string
  requested_by: string
  message: string
  asks_password: boolean
  expected: ExpectedPatient
  expected_exam: ExpectedExam
  sender: string
  expires_at: string
  by_share_code: boolean
  max_bytes: number
  /** Bytes that may still be stored. */
  left_bytes: number
  share_settings: Record<string, unknown>
}

/** Names the request, or the place of the share code, by whose word uploads begin and end: anybody opens as many pages of a share code as the person likes. */
export function saidBy({ link_uuid, namespace_uuid, by_share_code }: OpenRequest): string {
  return by_share_code ? namespace_uuid : link_uuid
}

/** The exam that request `r` expects. */
export const expectedExamSql = sql`json_build_object('study_date', r.study_date, 'modality', r.modality,
    'study_description', r.study_description)`

/**
 * Condition: of upload `p` into record `s`, whose images `t` has, nothing comes any more and fewer images came than were
 * announced, neither by its end nor since: what is deleted or separated later takes nothing from it. A record that the upload
 * did not make knows of no announced number.
 */
export const isIncompleteUpload = sql`(
  p.ended_at is not null and s.uuid is not null
  and (s.arrival = 'incomplete' or s.created_by is distinct from p.link_uuid)
  and coalesce(greatest(p.came_count, t.image_count + t.conflict_count), 0) < p.image_count
)`

/** Bytes that count to request `r`: its own, and of a page of a share code those of all pages of a day. */
const storedBytes = sql`case
    when not r.by_share_code then r.stored_bytes
    else (
      select coalesce(sum(o.stored_bytes), 0)
      from link_request o
      join link l on l.uuid = o.link_uuid
      where o.namespace_uuid = r.namespace_uuid and o.by_share_code and l.created > now() - interval '1 day'
    )
  end`

/**
 * Sets bytes aside for something that a request is about to store. Uses link_request_of_namespace.
 * @returns false where these are more than the request may store
 */
export async function reserveBytes(
  tx: Tx,
  { link_uuid: linkUuid, namespace_uuid: namespaceUuid, by_share_code: byShareCode }: OpenRequest,
  bytes: number,
): Promise<boolean> {
  // pages of one share code share what it may store
  if (byShareCode)
    await sql`select pg_advisory_xact_lock(hashtextextended('share code bytes ' || ${namespaceUuid}, 0))`.execute(tx)
  const { rows } = await sql`
    update link_request r
    set stored_bytes = r.stored_bytes + ${bytes}::bigint
    where r.link_uuid = ${linkUuid} and ${storedBytes} + ${bytes}::bigint <= r.max_bytes
    returning 1
  `.execute(tx)
  return rows.length > 0
}

/** Gives back bytes that were set aside and not stored. */
export async function giveBackBytes(db: Db, linkUuid: string, bytes: number): Promise<void> {
  await sql`
    update link_request
    set stored_bytes = greatest(0, stored_bytes - ${bytes}::bigint)
    where link_uuid = ${linkUuid}
  `.execute(db)
}

/** The request of a live session; undefined for a link that shows a study. */
export async function findOpenRequest(db: Db, linkUuid: string): Promise<OpenRequest | undefined> {
  const { rows } = await sql<OpenRequest>`
    /* prepared */
    select l.uuid as link_uuid, r.namespace_uuid, l.account_uuid, a.name as account_name, n.name as namespace_name,
      coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as requested_by, l.message,
      l.password_hash is not null as asks_password,
      json_build_object('patient_name', r.patient_name, 'patient_birth_date', r.patient_birth_date,
        'patient_sex', r.patient_sex, 'patientid', r.patientid) as expected,
      ${expectedExamSql} as expected_exam,
      r.sender, r.by_share_code, r.max_bytes::float8 as max_bytes,
      greatest(0, r.max_bytes - ${storedBytes})::float8 as left_bytes, coalesce(g.share_settings, '{}') as share_settings, to_char(l.expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as expires_at
    from link l
    join link_request r on r.link_uuid = l.uuid
    join account a on a.uuid = l.account_uuid
    join namespace n on n.uuid = r.namespace_uuid
    join app_user u on u.uuid = l.created_by
    left join app_group g on g.namespace_uuid = r.namespace_uuid
    where l.uuid = ${linkUuid} and l.action = 'STUDY_UPLOAD' and l.ended_at is null and l.expires_at > now()
      -- taken back for all at once by the settings of the group
      and (not r.by_share_code or g.share_settings ->> 'takes_uploads' = '1')
  `.execute(db)
  return rows[0]
}

/** Studies announced by a request, with the images that the sender said there are. */
export async function listAnnounced(
  db: Db,
  linkUuid: string,
): Promise<{ study_uid: string; image_count: number; is_complete: boolean }[]> {
  const { rows } = await sql<{ study_uid: string; image_count: number; is_complete: boolean }>`
    select study_uid, image_count, ended_at is not null as is_complete
    from link_upload
    where link_uuid = ${linkUuid}
    order by created, study_uid
  `.execute(db)
  return rows
}

/**
 * Announces studies of a request; one that was announced before takes the greater number of images.
 * @param customfields values of custom fields, by uuid, for the records that the images make
 * @returns studies that the request has announced by now, and how many of them it had not announced before
 */
export async function announceUploads(
  tx: Tx,
  request: Pick<OpenRequest, 'link_uuid' | 'namespace_uuid'>,
  studies: readonly { study_uid: string; image_count: number }[],
  customfields: Readonly<Record<string, string>>,
): Promise<{ count: number; fresh: number }> {
  const { rows: announced } = await sql<{ is_fresh: boolean }>`
    insert into link_upload (link_uuid, study_uid, namespace_uuid, image_count, customfields)
    select ${request.link_uuid}, r.study_uid, ${request.namespace_uuid}, max(r.image_count),
      ${JSON.stringify(customfields)}::jsonb
    from json_to_recordset(${JSON.stringify(studies)}::json) as r(study_uid text, image_count integer)
    group by r.study_uid
    on conflict (link_uuid, study_uid) do update
    set image_count = greatest(link_upload.image_count, excluded.image_count),
      customfields = excluded.customfields
    returning xmax = 0 as is_fresh
  `.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from link_upload
    where link_uuid = ${request.link_uuid}
  `.execute(tx)
  return { count: rows[0]?.count ?? 0, fresh: announced.filter((one) => one.is_fresh).length }
}

export async function setSender(tx: Tx, linkUuid: string, sender: string): Promise<void> {
  await sql`update link_request set sender = ${sender} where link_uuid = ${linkUuid}`.execute(tx)
}

/** A study that a sender without a login announced. */
interface AnnouncedStudy {
  /** Images that the sender said there are. */
  image_count: number
  /**
   * Uploads by this way wait for approval, and the place shows a record of the study that was approved or never waited:
   * images that join it would be shown to everybody there unseen. An upload under way of the same sender goes on.
   */
  is_closed: boolean
}

/** A study as it was announced by a request; undefined when it was not. */
export async function findAnnounced(db: Db, linkUuid: string, studyUid: string): Promise<AnnouncedStudy | undefined> {
  const { rows } = await sql<AnnouncedStudy>`
    select p.image_count,
      (r.must_approve or coalesce(g.must_approve_upload, o.must_approve_upload, false))
        and exists (
          select
          from study s
          where s.phi_namespace = p.namespace_uuid and s.study_uid = p.study_uid and s.deleted_at is null
            and not s.must_approve
            and not (s.created_by is not distinct from p.link_uuid and p.ended_at is null)
        ) as is_closed
    from link_upload p
    join link_request r on r.link_uuid = p.link_uuid
    left join app_group g on g.namespace_uuid = p.namespace_uuid
    left join account o on o.namespace_uuid = p.namespace_uuid
    where p.link_uuid = ${linkUuid} and p.study_uid = ${studyUid}
  `.execute(db)
  return rows[0]
}

/** Whether it is news that an image of a study came: the first one, or one after the end that was not there before. */
export async function isNews(db: Db, linkUuid: string, studyUid: string, isNew: boolean): Promise<boolean> {
  const { rows } = await sql`
    /* prepared */
    select 1
    from link_upload
    where link_uuid = ${linkUuid} and study_uid = ${studyUid} and (first_at is null or (ended_at is not null and ${isNew}))
  `.execute(db)
  return rows.length > 0
}

/** Notes that an image of a study came. */
export async function noteFirstImage(tx: Tx, linkUuid: string, studyUid: string): Promise<void> {
  await sql`
    update link_upload
    set first_at = coalesce(first_at, now()), ended_at = null, told_at = null
    where link_uuid = ${linkUuid} and study_uid = ${studyUid}
  `.execute(tx)
}

/** Forgets custom fields that were filled in for studies, once their request is over: until then a record may be made anew. */
export async function forgetFields(db: Db): Promise<void> {
  await sql`
    update link_upload p
    set customfields = '{}'
    from link l
    where p.customfields <> '{}' and l.uuid = p.link_uuid and least(l.ended_at, l.expires_at) <= now()
  `.execute(db)
}

/** Raises the number of images that a study should have, of a record that the request itself made. */
export async function expectImages(
  tx: Tx,
  key: { link_uuid: string; namespace_uuid: string; study_uid: string },
  count: number,
): Promise<void> {
  await sql`
    update study
    set expected_count = greatest(expected_count, ${count}::integer)
    where phi_namespace = ${key.namespace_uuid} and study_uid = ${key.study_uid} and deleted_at is null
      and created_by = ${key.link_uuid}
  `.execute(tx)
}

/** For each image whether these very bytes, or others that hold the same, are there: nobody learns of others by asking. */
export async function haveImages(
  db: Db,
  request: Pick<OpenRequest, 'link_uuid' | 'namespace_uuid'>,
  images: readonly { study_uid: string; sop_uid: string; sha256: string }[],
): Promise<boolean[]> {
  const asked = images.map((one, at) => ({ ...one, sha256: one.sha256.toLowerCase(), at }))
  const { rows } = await sql<{ has: boolean }>`
    select coalesce(bool_or(
        encode(i.sha256, 'hex') = r.sha256
        or exists (
          select
          from same_content c
          where c.storage_namespace = i.storage_namespace and c.study_key = i.study_key and c.sop_uid = i.sop_uid
            and c.stored_version = i.version and encode(c.sha256, 'hex') = r.sha256
        )
      ), false) as has
    from json_to_recordset(${JSON.stringify(asked)}::json) as r (at integer, study_uid text, sop_uid text, sha256 text)
    left join link_upload p on p.link_uuid = ${request.link_uuid} and p.study_uid = r.study_uid
    left join stored_study t on t.storage_namespace = ${request.namespace_uuid} and t.study_uid = p.study_uid
      and t.ended_at is null
    left join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key and i.sop_uid = r.sop_uid
    group by r.at
    order by r.at
  `.execute(db)
  return rows.map((row) => row.has)
}
