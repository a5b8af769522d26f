import { sql } from 'kysely'
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

export type IndexFault = { kind: string; what: string }

/** What the tables say of each other that does not fit, up to `limit` of each kind. */
export async function listIndexFaults(db: Db, limit: number): Promise<IndexFault[]> {
  const { rows } = await sql<IndexFault>`
    (select 'image without bytes' as kind, i.storage_namespace || ' ' || i.sop_uid as what
      from instance i
      left join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
      where b.object_key is null or b.state <> 'ready' or b.length <> i.length
      order by 2 limit ${limit})
    union all
    (select 'deleted image without bytes', d.storage_namespace || ' ' || d.sop_uid
      from deleted_instance d
      left join blob b on b.account_uuid = d.account_uuid and b.sha256 = d.sha256 and b.generation = d.generation
      where b.object_key is null or b.state <> 'ready'
      order by 2 limit ${limit})
    union all
    (select 'attachment without bytes', a.phi_namespace || ' ' || a.id || ' ' || a.version
      from attachment a
      left join blob b on b.account_uuid = a.account_uuid and b.sha256 = a.sha256 and b.generation = a.generation
      where b.object_key is null or b.state <> 'ready' or b.length <> a.length
      order by 2 limit ${limit})
    union all
    (select 'image without series or study', i.storage_namespace || ' ' || i.sop_uid
      from instance i
      left join stored_study s on s.storage_namespace = i.storage_namespace and s.key = i.study_key
      left join series e on e.storage_namespace = i.storage_namespace and e.study_key = i.study_key
        and e.series_uid = i.series_uid
      where s.key is null or e.study_key is null
      order by 2 limit ${limit})
    union all
    (select 'study with a wrong count', s.storage_namespace || ' ' || s.study_uid
      from stored_study s
      left join lateral (
        select count(*) filter (where i.is_primary) as images, coalesce(sum(i.length), 0) as bytes
        from instance i
        where i.storage_namespace = s.storage_namespace and i.study_key = s.key
      ) as held on true
      where s.image_count <> held.images or s.size <> held.bytes
      order by 2 limit ${limit})
  `.execute(db)
  return rows
}
