import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { PlacedImage } from './arrived-image.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import type { KnownVersion } from './reached-records.sql.ts'

type SameContent = {
  storage_namespace: string
  study_key: number
  sop_uid: string
  /** Hex. */
  sha256: string
  version: string
  stored_version: string
}

/** Notes bytes that came and hold the same as a version that is stored. */
export async function insertSameContent(tx: Tx, rows: readonly SameContent[]): Promise<void> {
  await sql`
    insert into same_content (storage_namespace, study_key, sop_uid, sha256, version, stored_version)
    select r.storage_namespace, r.study_key, r.sop_uid, decode(r.sha256, 'hex'), r.version, r.stored_version
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(
      storage_namespace uuid, study_key bigint, sop_uid text, sha256 text, version uuid, stored_version uuid
    )
    order by r.storage_namespace, r.study_key, r.sop_uid, r.version
    on conflict (storage_namespace, study_key, sop_uid, version) do update
    set stored_version = excluded.stored_version
  `.execute(tx)
}

/** The images among these whose bytes are known to hold the same as one of the versions that are stored. */
export async function listSameContent(
  tx: Tx,
  known: readonly KnownVersion[],
  images: readonly PlacedImage[],
): Promise<KnownVersion[]> {
  const keys = images.map(({ image, studyKey }) => ({ ...image, study_key: studyKey, sop_uid: image.facts.sopUid }))
  const { rows } = await sql<Omit<SameContent, 'sha256'>>`
    select c.storage_namespace, c.study_key, c.sop_uid, c.version, c.stored_version
    from unnest(
      ${keys.map((one) => one.storage_namespace)}::uuid[],
      ${keys.map((one) => one.study_key)}::bigint[],
      ${keys.map((one) => one.sop_uid)}::text[],
      ${keys.map((one) => one.version)}::uuid[]
    ) as r(storage_namespace, study_key, sop_uid, version)
    join same_content c on c.storage_namespace = r.storage_namespace and c.study_key = r.study_key
      and c.sop_uid = r.sop_uid and c.version = r.version
  `.execute(tx)
  return rows.flatMap(({ study_key, sop_uid, version, stored_version }) => {
    const stored = known.find(
      (one) => one.study_key === study_key && one.sop_uid === sop_uid && one.version === stored_version,
    )
    return stored ? [{ ...stored, version, is_stored: false }] : []
  })
}

type StoredVersion = Pick<
  StoredInstance,
  'object_key' | 'byte_offset' | 'length' | 'transfer_syntax' | 'sop_uid' | 'sha256'
>

/** Where the bytes of one version of an image lie. */
export async function findVersion(db: Db, key: KnownVersion): Promise<StoredVersion | undefined> {
  const { rows } = await sql<StoredVersion>`
    select b.object_key, b.byte_offset, i.length, i.transfer_syntax, i.sop_uid, encode(i.sha256, 'hex') as sha256
    from instance i
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
    where i.storage_namespace = ${key.storage_namespace}
      and i.study_key = ${key.study_key}
      and i.series_uid = ${key.series_uid}
      and i.sop_uid = ${key.sop_uid}
      and i.version = ${key.version}
  `.execute(db)
  return rows[0]
}
