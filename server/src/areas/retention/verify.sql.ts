import { type RawBuilder, sql } from 'kysely'
import { drawsOnStored } from '../../access/record-sources.sql.ts'
import type { Db } from '../../db/database.ts'

export type CheckedBlob = {
  account_uuid: string
  /** Hex. */
  sha256: string
  generation: number
  object_key: string
  byte_offset: number
  length: number
  crc32: number
}

/** Blobs in the order of their keys, from behind `after` on. */
export async function listBlobsAfter(db: Db, after: CheckedBlob | undefined, limit: number): Promise<CheckedBlob[]> {
  const { rows } = await sql<CheckedBlob>`
    select b.account_uuid, encode(b.sha256, 'hex') as sha256, b.generation, b.object_key, b.byte_offset, b.length, b.crc32
    from blob b
    where b.state = 'ready'
      and (${after?.account_uuid ?? null}::uuid is null
        or (b.account_uuid, b.sha256, b.generation)
          > (${after?.account_uuid ?? null}::uuid, decode(${after?.sha256 ?? ''}, 'hex'), ${after?.generation ?? 0}::integer))
    order by b.account_uuid, b.sha256, b.generation
    limit ${limit}
  `.execute(db)
  return rows
}

/** Whether a blob counts on its bytes being there: not so from the moment on that they are to be purged. */
export async function isStillReady(db: Db, blob: CheckedBlob): Promise<boolean> {
  const { rows } = await sql`
    select
    from blob b
    where b.account_uuid = ${blob.account_uuid}
      and b.sha256 = decode(${blob.sha256}, 'hex')
      and b.generation = ${blob.generation}
      and b.state = 'ready'
  `.execute(db)
  return rows.length > 0
}

/** A study as it is stored, and the records that show it: none when nothing does any more. */
export interface Holder {
  /** The image or attachment that is meant; empty where the whole study is. */
  part: string
  study_uid: string
  /** The group's, account's or person's name, or the number of a namespace that is gone. */
  place: string
  records: string[]
}

/** A record by its uuid, and by what people know the exam by. */
const recordWords = sql`s.uuid::text || coalesce(' (' || nullif(concat_ws(', ',
  nullif(trim(translate(s.patient_name, '^=', '  ')), ''), 'MRN ' || nullif(s.patientid, ''), nullif(s.study_date, ''),
  'accession ' || nullif(s.accession_number, '')), '') || ')', '')`

/** Records that draw on stored study `t`. */
const recordsOf = sql`array(
  select ${recordWords} from study s where ${drawsOnStored} order by s.uuid
)`
const placeOf = (namespace: RawBuilder<unknown>) =>
  sql`coalesce((select n.name from namespace n where n.uuid = ${namespace}), ${namespace}::text)`

/** The holders of a blob: images, deleted ones, attachments; the first `limit` of them. */
export async function listHolders(db: Db, blob: CheckedBlob, limit: number): Promise<Holder[]> {
  const isBlob = (row: RawBuilder<unknown>) => sql`
    ${row}.account_uuid = ${blob.account_uuid} and ${row}.sha256 = decode(${blob.sha256}, 'hex')
      and ${row}.generation = ${blob.generation}`
  const { rows } = await sql<Holder>`
    select 'image ' || i.sop_uid as part, t.study_uid, ${placeOf(sql`t.storage_namespace`)} as place, ${recordsOf} as records
    from instance i
    join stored_study t on t.storage_namespace = i.storage_namespace and t.key = i.study_key
    where ${isBlob(sql`i`)}
    union all
    select 'deleted image ' || d.sop_uid, t.study_uid, ${placeOf(sql`t.storage_namespace`)}, ${recordsOf}
    from deleted_instance d
    join stored_study t on t.storage_namespace = d.storage_namespace and t.key = d.study_key
    where ${isBlob(sql`d`)}
    union all
    select 'attachment ' || a.id, s.study_uid, ${placeOf(sql`a.phi_namespace`)}, array[${recordWords}]
    from attachment a
    join study s on s.phi_namespace = a.phi_namespace and s.uuid = a.study_uuid
    where ${isBlob(sql`a`)}
    order by 2, 1, 3
    limit ${limit}
  `.execute(db)
  return rows
}

export type IndexFault = { kind: string; what: string; holder: Holder | null }

/** Rows of the tables that do not fit each other, up to `limit` of each kind. */
export async function listIndexFaults(db: Db, limit: number): Promise<IndexFault[]> {
  const ofStored = (part: RawBuilder<unknown>) => sql`case when t.key is not null then json_build_object(
    'part', ${part}, 'study_uid', t.study_uid, 'place', ${placeOf(sql`t.storage_namespace`)}, 'records', ${recordsOf}) end`
  const { rows } = await sql<IndexFault>`
    (select 'image without bytes' as kind, i.storage_namespace || ' ' || i.sop_uid as what,
        ${ofStored(sql`'image ' || i.sop_uid`)} as holder
      from instance i
      left join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
      left join stored_study t on t.storage_namespace = i.storage_namespace and t.key = i.study_key
      where b.object_key is null or b.state <> 'ready' or b.length <> i.length
      order by 2 limit ${limit})
    union all
    (select 'deleted image without bytes', d.storage_namespace || ' ' || d.sop_uid,
        ${ofStored(sql`'deleted image ' || d.sop_uid`)}
      from deleted_instance d
      left join blob b on b.account_uuid = d.account_uuid and b.sha256 = d.sha256 and b.generation = d.generation
      left join stored_study t on t.storage_namespace = d.storage_namespace and t.key = d.study_key
      where b.object_key is null or b.state <> 'ready'
      order by 2 limit ${limit})
    union all
    (select 'attachment without bytes', a.phi_namespace || ' ' || a.id || ' ' || a.version,
        json_build_object('part', 'attachment ' || a.id, 'study_uid', s.study_uid,
          'place', ${placeOf(sql`a.phi_namespace`)}, 'records', array[a.study_uuid])
      from attachment a
      left join blob b on b.account_uuid = a.account_uuid and b.sha256 = a.sha256 and b.generation = a.generation
      left join study s on s.phi_namespace = a.phi_namespace and s.uuid = a.study_uuid
      where b.object_key is null or b.state <> 'ready' or b.length <> a.length
      order by 2 limit ${limit})
    union all
    (select 'image without series or study', i.storage_namespace || ' ' || i.sop_uid,
        ${ofStored(sql`'image ' || i.sop_uid`)}
      from instance i
      left join stored_study t on t.storage_namespace = i.storage_namespace and t.key = i.study_key
      left join series e on e.storage_namespace = i.storage_namespace and e.study_key = i.study_key
        and e.series_uid = i.series_uid
      where t.key is null or e.study_key is null
      order by 2 limit ${limit})
    union all
    (select 'study with a wrong count', t.storage_namespace || ' ' || t.study_uid, ${ofStored(sql`''`)}
      from stored_study t
      left join lateral (
        select count(*) filter (where i.is_primary) as images, coalesce(sum(i.length), 0) as bytes
        from instance i
        where i.storage_namespace = t.storage_namespace and i.study_key = t.key
      ) as held on true
      where t.image_count <> held.images or t.size <> held.bytes
      order by 2 limit ${limit})
  `.execute(db)
  return rows
}
