import { sql } from 'kysely'
import { restoreDays } from '@hilum/contract/limits'
import type { DeletedBefore, Nomination, otherDicomFields, Retraction, Study } from '@hilum/contract/entities/study'
import { nominationOf } from '../nomination/nomination-of-study.sql.ts'
import { countsOfRecord, hasLiveSource } from '../../access/record-sources.sql.ts'
import type { Db } from '../../db/database.ts'
import { isNamelessCopy } from '../nameless/nameless-copy.sql.ts'
import { isOvertakenPush } from '../nomination/overtaken-push.sql.ts'
import { lateImagesOfPush } from '../push/push.sql.ts'
import { ownNamesIn } from '../storage/authority.sql.ts'
import { tellsReason } from '../storage/retracted.sql.ts'

export interface StudyRow {
  uuid: string
  account_uuid: string
  customfields: Record<string, string>
  study_uid: string
  phi_namespace: string
  phi_namespace_name: string
  storage_namespace: string
  patient_name: string
  patientid: string
  issuer: string
  mrn_outside: boolean
  patient_sex: string
  patient_birth_date: string
  patient_birth_time: string
  patient_age: string
  /** Tags without a column. */
  demographics: Partial<Record<(typeof otherDicomFields)[number], string>>
  accession_number: string
  study_description: string
  study_date: string
  study_time: string
  /** Of the object that came first. */
  modality: string
  modalities: string[]
  referring_physician: string
  source: Study['source']
  source_ae_title: string
  destination_ae_title: string
  integration_key: string
  share_message: string
  thin: boolean
  must_approve: boolean
  is_frozen: boolean
  is_nameless: boolean
  mixed_patients: boolean
  has_direct_shares: boolean
  has_waiting_shares: boolean
  deleted: boolean
  arrival: Study['arrival']
  expected_count: number | null
  status: Study['work_status']
  taken_by: string | null
  taken_by_name: string | null
  priority: number
  attachment_count: number
  tags: string[]
  row_version: number
  created: string
  updated: string
  created_by_name: string | null
  image_count: number
  series_count: number
  size: number
  conflict_count: number
  settled_count: number
  starred: boolean
  unread: boolean
  locked: boolean
  locked_by_name: string | null
  deleted_at: string | null
  deleted_by_name: string | null
  /** Records of the same study that were deleted and can be restored beside this one, the last one first. */
  deleted_before: (DeletedBefore & { must_approve: boolean })[] | null
  /** The last push to each destination, the newest first. */
  pushes: Study['study_push_status'] | null
  nomination: Nomination | null
  /** The last time that the study was taken back from this place, if that stands; of a deleted record its own. */
  retraction: Retraction | null
  /** Of a deleted record: the one that the study has again. */
  newer_uuid: string | null
}

/**
 * Full rows of these records, in no order. Stamps as the wire writes them.
 *
 * Each record is looked up by the one index that there is for what is asked, and has a `limit 1` of its own, so that
 * PostgreSQL cannot but look it up, whatever it believes of the tables: with nothing known of them, as after a large
 * upload, it goes by half a key and reads the namespace once for each row (45 ms for 50 of 3,000, instead of 2). Other
 * records of the same study are looked up by its UID alone for the same reason (`offset 0`).
 */
export async function listStudyRows(
  db: Db,
  keys: readonly { phi_namespace: string; uuid: string }[],
  userUuid: string,
): Promise<StudyRow[]> {
  if (keys.length === 0) return []
  const namespaces = keys.map((key) => key.phi_namespace)
  const uuids = keys.map((key) => key.uuid)
  const { rows } = await sql<StudyRow>`
    /* prepared */
    select s.uuid, s.account_uuid, s.customfields, s.study_uid, s.phi_namespace, n.name as phi_namespace_name, s.storage_namespace,
      s.patient_name, s.patientid, s.issuer,
      s.patientid <> '' and folded_id(s.issuer) <> folded_id(a.issuer)
        and folded_id(s.issuer) <> all(${ownNamesIn(sql`s.account_uuid`)}) as mrn_outside, s.patient_sex, s.patient_birth_date, s.patient_birth_time, s.patient_age, s.demographics,
      s.accession_number, s.study_description, s.study_date, s.study_time, s.modality, s.modalities, s.referring_physician,
      s.source, s.source_ae_title, s.destination_ae_title, s.integration_key, s.share_message,
      s.thin, s.must_approve, s.is_frozen, ${isNamelessCopy('s')} as is_nameless, s.mixed_patients, s.has_direct_shares, s.has_waiting_shares, s.deleted_at is not null as deleted,
      s.arrival, s.expected_count, s.status, s.taken_by, taker.first_name || ' ' || taker.last_name as taken_by_name,
      s.priority, s.attachment_count, s.tags, s.row_version,
      to_char(s.created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as created,
      to_char(s.updated at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as updated,
      maker.first_name || ' ' || maker.last_name as created_by_name,
      images.image_count::integer as image_count, images.series_count::integer as series_count, images.size::bigint as size,
      images.conflict_count::integer as conflict_count, images.settled_count::integer as settled_count,
      star.study_uuid is not null as starred,
      seen.study_uuid is null as unread,
      lock.study_uuid is not null as locked, holder.first_name || ' ' || holder.last_name as locked_by_name,
      to_char(s.deleted_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as deleted_at,
      remover.first_name || ' ' || remover.last_name as deleted_by_name,
      pushed.list as pushes, nominated.nomination, before.deleted as deleted_before, back.retraction, newer.uuid as newer_uuid
    from unnest(${namespaces}::uuid[], ${uuids}::uuid[]) as k (phi_namespace, uuid)
    cross join lateral (
      select *
      from study
      where study.uuid = k.uuid
      limit 1
    ) s
    join namespace n on n.uuid = s.phi_namespace and n.uuid = k.phi_namespace
    join account a on a.uuid = s.account_uuid
    left join app_user taker on taker.uuid = s.taken_by
    left join app_user maker on maker.uuid = s.created_by
    left join app_user remover on remover.uuid = s.deleted_by
    left join study_star star on star.user_uuid = ${userUuid} and star.study_uuid = s.uuid
    left join study_read seen on seen.user_uuid = ${userUuid} and seen.study_uuid = s.uuid
    left join study_lock lock on lock.study_uuid = s.uuid and lock.until > now() and lock.user_uuid <> ${userUuid}
    left join app_user holder on holder.uuid = lock.user_uuid
    cross join lateral ${countsOfRecord} images
    left join lateral (
      select json_agg(json_build_object(
          'destination_uuid', p.destination_uuid,
          'destination_name', p.destination_name,
          'status', p.status,
          'status_reason', nullif(p.message, ''),
          'is_overtaken', (${isOvertakenPush})::int,
          'wants_reason', case when p.wants_reason and p.status = 'F' then 1 else 0 end,
          'question', case when p.wants_reason and p.status = 'F' then p.uuid::text else '' end,
          'commitment', p.commitment,
          'commitment_reason', nullif(p.commitment_message, ''),
          'image_count', p.total,
          'late_image_count', ${lateImagesOfPush},
          'created', to_char(p.created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00'),
          'updated', to_char(p.updated at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')
        ) order by p.updated desc, p.destination_uuid) as list
      from push p
      where p.phi_namespace = s.phi_namespace and p.study_uuid = s.uuid
    ) pushed on true
    left join lateral ${nominationOf(lateImagesOfPush)} nominated on true
    left join lateral (
      select json_agg(json_build_object(
          'uuid', d.uuid,
          'deleted_at', to_char(d.deleted_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00'),
          'deleted_by_name', coalesce(trim(u.first_name || ' ' || u.last_name), ''),
          'must_approve', d.must_approve
        ) order by d.deleted_at desc, d.uuid) as deleted
      from (select * from study where study_uid = s.study_uid offset 0) d
      left join app_user u on u.uuid = d.deleted_by
      where d.phi_namespace = s.phi_namespace and d.deleted_at > now() - make_interval(days => ${restoreDays}) and s.deleted_at is null
        and d.retraction_uuid is null
        and ${hasLiveSource('d')}
    ) before on true
    left join lateral (
      select json_build_object(
          'at', to_char(r.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00'),
          'by_name', coalesce(trim(u.first_name || ' ' || u.last_name), ''),
          'reason', case when ${tellsReason('d')} then r.reason else '' end
        ) as retraction
      from study d
      join retraction r on r.uuid = d.retraction_uuid
      left join app_user u on u.uuid = r.by_user and ${tellsReason('d')}
      where d.study_uid = s.study_uid and d.phi_namespace = s.phi_namespace and d.retraction_uuid is not null
        and (s.deleted_at is null or d.uuid = s.uuid)
      order by r.at desc, r.uuid
      limit 1
    ) back on true
    left join lateral (
      select d.uuid
      from (select * from study where study_uid = s.study_uid offset 0) d
      where d.phi_namespace = s.phi_namespace and d.deleted_at is null and s.deleted_at is not null
      limit 1
    ) newer on true
  `.execute(db)
  return rows
}
