import { sql } from 'kysely'
import { drawsOnStored, storedOfRecord } from '../../access/record-sources.sql.ts'
import { sourcesOf } from '../../access/source-rows.sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import { tableOf } from '../storage/hold.sql.ts'
import type { ArrivingIdentity, StoredKey } from '../storage/ingest.sql.ts'

type DeletedImage = { series_uid: string; sop_uid: string }

const columns = sql`
  seq, storage_namespace, study_key, series_uid, sop_uid, version, is_primary, account_uuid, sha256, generation,
  sop_class, transfer_syntax, instance_number, frames, rows, columns, pixel_offset, length, crc32, tail_crc32,
  preamble_blank, bare_start, accession_number, source, source_name, arrived, differs, is_settled`

/**
 * Takes images out of a stored study, every version of them, and keeps their rows aside until they are purged.
 * @param sopUids which; without them all
 */
export async function setImagesAside(
  tx: Tx,
  stored: { storage_namespace: string; key: number },
  sopUids: readonly string[] | undefined,
  by: { at: Date; userUuid: string },
): Promise<DeletedImage[]> {
  const { rows } = await sql<DeletedImage>`
    with gone as (
      delete from instance
      where storage_namespace = ${stored.storage_namespace}
        and study_key = ${stored.key}
        and (${sopUids ?? null}::text[] is null or sop_uid = any(${sopUids ?? null}::text[]))
      returning *
    ), kept as (
      insert into deleted_instance (${columns}, deleted_at, deleted_by)
      select ${columns}, ${by.at}, ${by.userUuid}
      from gone
    )
    select distinct series_uid, sop_uid
    from gone
    order by series_uid, sop_uid
  `.execute(tx)
  return rows
}

/** Brings series and stored study down to the images that are left. */
export async function recountStoredStudy(tx: Tx, stored: { storage_namespace: string; key: number }): Promise<void> {
  await sql`
    delete from series e
    where e.storage_namespace = ${stored.storage_namespace}
      and e.study_key = ${stored.key}
      and not exists (
        select
        from instance i
        where i.storage_namespace = e.storage_namespace and i.study_key = e.study_key and i.series_uid = e.series_uid
      )
  `.execute(tx)
  await sql`
    update series e
    set image_count = left_over.images, size = left_over.bytes
    from (
      select i.series_uid, count(*) filter (where i.is_primary) as images, sum(i.length) as bytes
      from instance i
      where i.storage_namespace = ${stored.storage_namespace} and i.study_key = ${stored.key}
      group by i.series_uid
    ) as left_over
    where e.storage_namespace = ${stored.storage_namespace}
      and e.study_key = ${stored.key}
      and e.series_uid = left_over.series_uid
  `.execute(tx)
  await sql`
    update stored_study s
    set image_count = left_over.images, conflict_count = left_over.conflicts, settled_count = left_over.settled,
      size = left_over.bytes,
      series_count = (
        select count(*) from series e where e.storage_namespace = s.storage_namespace and e.study_key = s.key
      ),
      modalities = array(
        select distinct e.modality
        from series e
        where e.storage_namespace = s.storage_namespace and e.study_key = s.key and e.modality <> ''
        order by e.modality
      ),
      content_version = s.content_version + 1
    from (
      select count(*) filter (where i.is_primary) as images, count(*) - count(distinct i.sop_uid) as conflicts,
        count(*) filter (where i.is_settled and not i.is_primary) as settled, coalesce(sum(i.length), 0) as bytes
      from instance i
      where i.storage_namespace = ${stored.storage_namespace} and i.study_key = ${stored.key}
    ) as left_over
    where s.storage_namespace = ${stored.storage_namespace}
      and s.key = ${stored.key}
  `.execute(tx)
}

/** Tells everybody whose record shows this stored study that it changed. */
export async function touchShowingRecords(tx: Tx, key: StoredKey, at: Date): Promise<void> {
  await sql`
    with touched as (
      update study s
      set modalities = array(
          select distinct m.modality
          from ${storedOfRecord} h
          cross join lateral unnest(h.modalities) as m (modality)
          order by m.modality
        ),
        updated = ${at}
      from stored_study t
      where t.storage_namespace = ${key.storage_namespace}
        and t.study_uid = ${key.study_uid}
        and t.generation = ${key.generation}
        and ${drawsOnStored}
      returning s.phi_namespace, s.uuid
    )
    insert into event (namespace_uuid, kind, uuid)
    select phi_namespace, 'study', uuid
    from touched
  `.execute(tx)
}

export async function findContentVersion(db: Db, key: StoredKey): Promise<number | undefined> {
  const { rows } = await sql<{ content_version: number }>`
    select content_version
    from stored_study
    where storage_namespace = ${key.storage_namespace}
      and study_uid = ${key.study_uid}
      and generation = ${key.generation}
  `.execute(db)
  return rows[0]?.content_version
}

/**
 * Says anew whose images a stored study holds.
 * @returns uuids of the records whose patients are told anew; undefined when images came or went meanwhile
 */
export async function replaceIdentities(
  tx: Tx,
  key: StoredKey,
  contentVersion: number,
  identities: readonly ArrivingIdentity[],
  isMixed: boolean,
): Promise<string[] | undefined> {
  const { rows } = await sql`
    update stored_study
    set identities = ${JSON.stringify(identities)}::jsonb
    where storage_namespace = ${key.storage_namespace}
      and study_uid = ${key.study_uid}
      and generation = ${key.generation}
      and content_version = ${contentVersion}
    returning 1
  `.execute(tx)
  if (rows.length === 0) return undefined
  // A record with images from elsewhere may be mixed for their sake.
  const { rows: records } = await sql<{ uuid: string }>`
    update study s
    set mixed_patients = ${isMixed}
    from ${tableOf([key])}
    where ${drawsOnStored}
      and (${isMixed} or not exists (
        select
        from ${sourcesOf('s')} o
        where o.storage_namespace <> ${key.storage_namespace}
      ))
    returning s.uuid
  `.execute(tx)
  return records.map(({ uuid }) => uuid)
}
