import { sql } from 'kysely'
import { drawsOnStored } from '../../access/record-sources.sql.ts'
import { sourcesPassedOn } from '../../access/source-rows.sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { StoredKey } from '../storage/ingest.sql.ts'
import { mustStay, nameOfPerson, stampSql } from './retention-cause.sql.ts'

/* Purging what nobody needs any more, but for what stays (`retention-cause.sql.ts`). */

interface PurgedRecord {
  phi_namespace: string
  uuid: string
  account_uuid: string
  study_uid: string
  deleted_at: string
  /** Name of the person who deleted it; empty where nobody is known. */
  deleted_by: string
}

/**
 * Deletes the records that `due` names, with all that hangs on them. A source that was passed on stays until its share ends:
 * by it the end of that share reaches whoever has the images from here.
 */
const goneWithAll = sql`gone as (
      delete from study s
      using due
      where s.phi_namespace = due.phi_namespace and s.uuid = due.uuid
      returning s.phi_namespace, s.uuid, s.account_uuid, s.study_uid, s.deleted_at, s.deleted_by
    ), sources as (
      delete from study_source b
      using gone
      where b.phi_namespace = gone.phi_namespace and b.study_uuid = gone.uuid
        and not exists (select from ${sourcesPassedOn} o)
    ), attachments as (
      delete from attachment a using gone where a.phi_namespace = gone.phi_namespace and a.study_uuid = gone.uuid
    ), stars as (
      delete from study_star o using gone where o.phi_namespace = gone.phi_namespace and o.study_uuid = gone.uuid
    ), readings as (
      delete from study_read o using gone where o.phi_namespace = gone.phi_namespace and o.study_uuid = gone.uuid
    ), times_ready as (
      delete from study_ready o using gone where o.phi_namespace = gone.phi_namespace and o.study_uuid = gone.uuid
    ), late_arrivals as (
      delete from late_arrival o using gone where o.phi_namespace = gone.phi_namespace and o.study_uuid = gone.uuid
    ), locks as (
      delete from study_lock o using gone where o.phi_namespace = gone.phi_namespace and o.study_uuid = gone.uuid
    ), pushes as (
      delete from push o using gone where o.phi_namespace = gone.phi_namespace and o.study_uuid = gone.uuid
    ), departures as (
      delete from departure o using gone where o.phi_namespace = gone.phi_namespace and o.study_uuid = gone.uuid
    ), separations as (
      delete from separation p
      using gone
      where case when p.state = 'made' then p.to_study_uuid else p.study_uuid end = gone.uuid
    )`

/** Removes one record for good, with all that hangs on it. */
export async function deleteRecordForGood(tx: Tx, key: { phi_namespace: string; uuid: string }): Promise<void> {
  await sql`
    with due as (
      select ${key.phi_namespace}::uuid as phi_namespace, ${key.uuid}::uuid as uuid
    ), ${goneWithAll}
    select 1
    from gone
  `.execute(tx)
}

/** Removes up to `limit` records that were deleted before a moment, with all that hangs on them. */
export async function purgeRecords(tx: Tx, before: Date, now: Date, limit: number): Promise<PurgedRecord[]> {
  const { rows } = await sql<PurgedRecord>`
    with due as (
      select s.phi_namespace, s.uuid
      from study s
      where s.deleted_at < ${before}
        and not ${mustStay(now)}
      order by s.phi_namespace, s.uuid
      limit ${limit}
      for update of s skip locked
    ), ${goneWithAll}
    select phi_namespace, uuid, account_uuid, study_uid, ${stampSql(sql`deleted_at`)} as deleted_at,
      ${nameOfPerson(sql`deleted_by`)} as deleted_by
    from gone
    order by phi_namespace, uuid
  `.execute(tx)
  return rows
}

/**
 * Takes out of separations and merges what they noted for Undo of records that are gone for good. Each row is changed by
 * itself, so that nobody waits for one while this holds another.
 */
export async function forgetGoneRecords(db: Db): Promise<void> {
  const { rows } = await sql<{ uuid: string; gone: string[]; is_left: boolean }>`
    select p.uuid, noted.gone, left_by.is_left
    from separation p
    cross join lateral (
      select coalesce(array_agg(b.one ->> 'uuid'), '{}') as gone
      from jsonb_array_elements(p.before) as b(one)
      where not exists (select from study s where s.uuid = (b.one ->> 'uuid')::uuid)
    ) noted
    cross join lateral (
      select p.kept_demographics <> '{}' and not exists (select from study s where s.uuid = p.study_uuid) as is_left
    ) left_by
    where p.state <> 'making' and (noted.gone <> '{}' or left_by.is_left)
  `.execute(db)
  for (const { uuid, gone, is_left: isLeft } of rows)
    await sql`
      update separation p
      set before = (
          select coalesce(jsonb_agg(b.one order by b.place), '[]')
          from jsonb_array_elements(p.before) with ordinality as b(one, place)
          where b.one ->> 'uuid' <> all(${gone}::text[])
        ),
        kept_demographics = case when ${isLeft} then '{}' else p.kept_demographics end
      where p.uuid = ${uuid}
    `.execute(db)
}

const isShown = sql`exists (select from study s where ${drawsOnStored})`

/** Rows looked at by one question: a table that grew for years is walked through in steps that take no long. */
const LOOKED_AT = 5_000

/**
 * The next stored studies in the order of their keys, with those among them that no record draws on, deleted or not.
 * @param after the last of the step before
 */
export async function lookForUnneededStudies(
  db: Db,
  before: Date,
  after: StoredKey | undefined,
): Promise<{ unneeded: StoredKey[]; last: StoredKey | undefined }> {
  const { rows } = await sql<StoredKey & { is_unneeded: boolean }>`
    with looked_at as (
      select t.storage_namespace, t.study_uid, t.generation, t.last_image_at
      from stored_study t
      where ${after?.storage_namespace ?? null}::uuid is null
        or (t.storage_namespace, t.study_uid, t.generation)
          > (${after?.storage_namespace ?? null}::uuid, ${after?.study_uid ?? ''}, ${after?.generation ?? 0}::integer)
      order by t.storage_namespace, t.study_uid, t.generation
      limit ${LOOKED_AT}
    )
    select t.storage_namespace, t.study_uid, t.generation,
      coalesce(t.last_image_at, '-infinity') < ${before} and not ${isShown} as is_unneeded
    from looked_at t
    order by t.storage_namespace, t.study_uid, t.generation
  `.execute(db)
  const keys = rows.map(({ storage_namespace, study_uid, generation }) => ({
    storage_namespace,
    study_uid,
    generation,
  }))
  return {
    unneeded: keys.filter((_, index) => rows[index]?.is_unneeded),
    last: rows.length < LOOKED_AT ? undefined : keys.at(-1),
  }
}

/** Removes the rows of a stored study that the caller has locked, unless some record draws on it by now. */
export async function purgeStoredStudy(tx: Tx, stored: StoredKey): Promise<void> {
  await sql`
    with gone as (
      delete from stored_study t
      where t.storage_namespace = ${stored.storage_namespace}
        and t.study_uid = ${stored.study_uid}
        and t.generation = ${stored.generation}
        and not ${isShown}
      returning t.storage_namespace, t.key
    ), images as (
      delete from instance i using gone where i.storage_namespace = gone.storage_namespace and i.study_key = gone.key
    ), same as (
      delete from same_content c using gone where c.storage_namespace = gone.storage_namespace and c.study_key = gone.key
    )
    delete from series e using gone
    where e.storage_namespace = gone.storage_namespace and e.study_key = gone.key
  `.execute(tx)
}

/** Removes up to `limit` images that were deleted before a moment, but for those of records that must stay. */
export async function purgeDeletedImages(db: Db, before: Date, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from deleted_instance
    where ctid = any(array(
      select d.ctid
      from deleted_instance d
      where d.deleted_at < ${before}
        -- originals stay as long as the images that were made of them
        and not exists (select from separation p where p.uuid = d.separation_uuid and p.state = 'made')
        and not exists (
          select
          from stored_study t
          join study s on s.study_uid = t.study_uid
          where t.storage_namespace = d.storage_namespace and t.key = d.study_key
            and ${drawsOnStored}
            and ${mustStay(now)}
        )
      limit ${limit}
    ))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Removes attachments that were deleted before a moment, but for those of records that must stay. */
export async function purgeDeletedAttachments(db: Db, before: Date, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from attachment a
    where a.deleted_at < ${before}
      and not exists (
        select
        from study s
        where s.phi_namespace = a.phi_namespace and s.uuid = a.study_uuid and ${mustStay(now)}
      )
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

const isReferenced = sql`(
  exists (select from instance i
    where i.account_uuid = b.account_uuid and i.sha256 = b.sha256 and i.generation = b.generation)
  or exists (select from deleted_instance d
    where d.account_uuid = b.account_uuid and d.sha256 = b.sha256 and d.generation = b.generation)
  or exists (select from attachment a
    where a.account_uuid = b.account_uuid and a.sha256 = b.sha256 and a.generation = b.generation)
)`

export type BlobKey = { account_uuid: string; sha256: string; generation: number; object_key: string }

/**
 * The next blobs in the order of their keys, with those among them that nothing refers to.
 * @param after the last of the step before
 */
export async function lookForUnneededBlobs(
  db: Db,
  before: Date,
  after: BlobKey | undefined,
): Promise<{ unneeded: BlobKey[]; last: BlobKey | undefined }> {
  const { rows } = await sql<BlobKey & { is_unneeded: boolean }>`
    with looked_at as (
      select b.account_uuid, b.sha256, b.generation, b.object_key, b.state, b.created
      from blob b
      where ${after?.account_uuid ?? null}::uuid is null
        or (b.account_uuid, b.sha256, b.generation)
          > (${after?.account_uuid ?? null}::uuid, decode(${after?.sha256 ?? ''}, 'hex'), ${after?.generation ?? 0}::integer)
      order by b.account_uuid, b.sha256, b.generation
      limit ${LOOKED_AT}
    )
    select b.account_uuid, encode(b.sha256, 'hex') as sha256, b.generation, b.object_key,
      b.state = 'ready' and b.created < ${before} and not ${isReferenced} as is_unneeded
    from looked_at b
    order by b.account_uuid, b.sha256, b.generation
  `.execute(db)
  return {
    unneeded: rows.filter((row) => row.is_unneeded),
    last: rows.length < LOOKED_AT ? undefined : rows.at(-1),
  }
}

/** Locks blobs, but for those that somebody holds. Ask again before dooming: what came meanwhile refers to them perhaps. */
export async function lockBlobs(tx: Tx, blobs: readonly BlobKey[]): Promise<BlobKey[]> {
  const { rows } = await sql<BlobKey>`
    select b.account_uuid, encode(b.sha256, 'hex') as sha256, b.generation, b.object_key
    from blob b
    join json_to_recordset(${JSON.stringify(blobs)}::json) as r(account_uuid uuid, sha256 text, generation integer)
      on b.account_uuid = r.account_uuid and b.sha256 = decode(r.sha256, 'hex') and b.generation = r.generation
    where b.state = 'ready'
    order by b.account_uuid, b.sha256, b.generation
    for update of b skip locked
  `.execute(tx)
  return rows
}

/** From now on these bytes count as gone: who brings them again brings them anew. */
export async function doomBlobs(tx: Tx, blobs: readonly BlobKey[]): Promise<void> {
  await sql`
    update blob b
    set state = 'doomed'
    from json_to_recordset(${JSON.stringify(blobs)}::json) as r(account_uuid uuid, sha256 text, generation integer)
    where b.account_uuid = r.account_uuid
      and b.sha256 = decode(r.sha256, 'hex')
      and b.generation = r.generation
      and not ${isReferenced}
  `.execute(tx)
}

export async function listDoomedBlobs(db: Db, limit: number): Promise<(BlobKey & { is_object_shared: boolean })[]> {
  const { rows } = await sql<BlobKey & { is_object_shared: boolean }>`
    select b.account_uuid, encode(b.sha256, 'hex') as sha256, b.generation, b.object_key,
      exists (select from blob o where o.object_key = b.object_key and o.state = 'ready') as is_object_shared
    from blob b
    where b.state = 'doomed'
    order by b.account_uuid, b.sha256, b.generation
    limit ${limit}
  `.execute(db)
  return rows
}

export async function deleteDoomedBlob(db: Db, blob: BlobKey): Promise<void> {
  await sql`
    delete from blob
    where account_uuid = ${blob.account_uuid}
      and sha256 = decode(${blob.sha256}, 'hex')
      and generation = ${blob.generation}
      and state = 'doomed'
  `.execute(db)
}
