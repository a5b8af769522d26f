import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

interface CheckedInstance {
  study_uid: string
  sop_uid: string
  sha256?: string | undefined
}

type Verdict = 'have' | 'missing' | 'conflict' | 'named'

/**
 * For each of these, in their order: whether the namespace has the same image (by its hash, or that of bytes that hold
 * the same), has another under the same SOP UID, or none. Looks into this namespace only.
 */
export async function checkInstances(
  db: Db,
  namespaceUuid: string,
  instances: readonly CheckedInstance[],
): Promise<Verdict[]> {
  const asked = instances.map((one, at) => ({ ...one, sha256: one.sha256?.toLowerCase() ?? null, at }))
  const { rows } = await sql<{ verdict: Verdict }>`
    select case
        when count(i.seq) = 0 then 'missing'
        when r.sha256 is null then 'named'
        when bool_or(
          encode(i.sha256, 'hex') = r.sha256
          or exists (
            select
            from same_content c
            where c.storage_namespace = i.storage_namespace and c.study_key = i.study_key and c.sop_uid = i.sop_uid
              and c.stored_version = i.version and encode(c.sha256, 'hex') = r.sha256
          )
        ) then 'have'
        else 'conflict'
      end as verdict
    from json_to_recordset(${JSON.stringify(asked)}::json) as r (at integer, study_uid text, sop_uid text, sha256 text)
    left join stored_study t on t.storage_namespace = ${namespaceUuid} and t.study_uid = r.study_uid
      and t.ended_at is null
    left join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key and i.sop_uid = r.sop_uid
    group by r.at, r.sha256
    order by r.at
  `.execute(db)
  return rows.map((row) => row.verdict)
}

/** For each of these, in their order: whether a file of this name, and of these bytes, is attached to the study there. */
export async function checkAttachments(
  db: Db,
  namespaceUuid: string,
  attachments: readonly { study_uid: string; filename: string; sha256?: string | undefined }[],
): Promise<('have' | 'missing')[]> {
  if (attachments.length === 0) return []
  const asked = attachments.map((one, at) => ({ ...one, sha256: one.sha256?.toLowerCase() ?? null, at }))
  const { rows } = await sql<{ is_there: boolean }>`
    select exists (
        select
        from study s
        join attachment a on a.phi_namespace = s.phi_namespace and a.study_uuid = s.uuid
        where s.phi_namespace = ${namespaceUuid} and s.study_uid = r.study_uid and s.deleted_at is null
          and a.filename = r.filename and a.deleted_at is null
          and (r.sha256 is null or encode(a.sha256, 'hex') = r.sha256)
      ) as is_there
    from json_to_recordset(${JSON.stringify(asked)}::json) as r (at integer, study_uid text, filename text, sha256 text)
    order by r.at
  `.execute(db)
  return rows.map((row) => (row.is_there ? 'have' : 'missing'))
}

/**
 * Images of these whose SOP UID stands in another study of the namespace too, with that study. Uses instance_by_sop_uid.
 * Asked with every request that brings several; the arrays stand in sub-selects, as in `lockReachedRecords`.
 */
export async function listElsewhere(
  db: Db,
  namespaceUuid: string,
  instances: readonly CheckedInstance[],
): Promise<{ at: number; study_uid: string }[]> {
  const { rows } = await sql<{ at: number; study_uid: string }>`
    /* prepared */
    select distinct r.at::integer - 1 as at, t.study_uid
    from unnest(
      (select ${instances.map((one) => one.study_uid)}::text[]),
      (select ${instances.map((one) => one.sop_uid)}::text[])
    ) with ordinality as r (study_uid, sop_uid, at)
    cross join lateral (
      select o.study_key
      from instance o
      where o.storage_namespace = ${namespaceUuid} and o.sop_uid = r.sop_uid
      offset 0
    ) i
    cross join lateral (
      select o.study_uid
      from stored_study o
      where o.key = i.study_key and o.storage_namespace = ${namespaceUuid} and o.ended_at is null
      offset 0
    ) t
    where t.study_uid <> r.study_uid
    order by 1, t.study_uid
  `.execute(db)
  return rows
}

interface SharingRecord {
  uuid: string
  study_date: string
  study_description: string
  must_approve: boolean
}

/** How many images of a record's own stored study stand in other studies of the namespace too, and the records of those. */
export async function listSharing(
  db: Db,
  record: { phi_namespace: string; study_uid: string },
): Promise<{ imageCount: number; records: SharingRecord[] }> {
  const { rows } = await sql<SharingRecord & { images: number }>`
    with shared as (
      select distinct i.sop_uid, o.study_key as other_key
      from stored_study t
      join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key
      join instance o on o.storage_namespace = i.storage_namespace and o.sop_uid = i.sop_uid and o.study_key <> i.study_key
      where t.storage_namespace = ${record.phi_namespace} and t.study_uid = ${record.study_uid} and t.ended_at is null
    ), live as (
      select shared.sop_uid, t.study_uid
      from shared
      join stored_study t on t.key = shared.other_key and t.storage_namespace = ${record.phi_namespace} and t.ended_at is null
      where t.study_uid <> ${record.study_uid}
    )
    select s.uuid, s.study_date, s.study_description, s.must_approve,
      (select count(distinct sop_uid)::integer from live) as images
    from study s
    where s.phi_namespace = ${record.phi_namespace}
      and s.deleted_at is null
      and s.study_uid in (select study_uid from live)
    order by s.study_date desc, s.created desc, s.uuid
  `.execute(db)
  return { imageCount: rows[0]?.images ?? 0, records: rows }
}
