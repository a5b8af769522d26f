import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { IngestedStudyKey } from '../storage/ingest.sql.ts'
import type { InstanceRow } from './list-images.sql.ts'
import type { MovedRule } from './following.ts'

type MovedFrom = MovedRule & { uuid: string; phi_namespace: string; study_uid: string }

/** The separations that images of these studies follow, whatever generation they arrive in; the newest first. */
export async function listMovedFrom(tx: Tx, studies: readonly IngestedStudyKey[]): Promise<MovedFrom[]> {
  const { rows } = await sql<MovedFrom>`
    select p.uuid, p.kind, p.is_part, p.written, p.phi_namespace, p.study_uid, p.moved_identities, p.kept_identities, p.series_uids
    from unnest(
      ${studies.map((one) => one.storage_namespace)}::uuid[],
      ${studies.map((one) => one.study_uid)}::text[]
    ) as r(storage_namespace, study_uid)
    join separation p on p.phi_namespace = r.storage_namespace and p.study_uid = r.study_uid
    where p.state = 'made'
    order by p.created desc, p.uuid
  `.execute(tx)
  return rows
}

type MovedOriginal = IngestedStudyKey & {
  separation_uuid: string
  series_uid: string
  sop_uid: string
  version: string
}

/** Images that moved out of studies, by their former SOP Instance UIDs. */
export async function listMovedOriginals(
  tx: Tx,
  images: readonly (IngestedStudyKey & { sop_uid: string })[],
): Promise<MovedOriginal[]> {
  const { rows } = await sql<MovedOriginal>`
    select p.uuid as separation_uuid, r.storage_namespace, r.study_uid, d.series_uid, d.sop_uid, d.version
    from unnest(
      ${images.map((one) => one.storage_namespace)}::uuid[],
      ${images.map((one) => one.study_uid)}::text[],
      ${images.map((one) => one.sop_uid)}::text[]
    ) as r(storage_namespace, study_uid, sop_uid)
    join separation p on p.phi_namespace = r.storage_namespace and p.study_uid = r.study_uid and p.state = 'made'
    join deleted_instance d on d.separation_uuid = p.uuid and d.sop_uid = r.sop_uid
    order by d.seq
  `.execute(tx)
  return rows
}

/** Stores the rows of images that follow others to another study, where no reader of this one finds them. */
export async function setFollowingAside(
  tx: Tx,
  rows: readonly (InstanceRow & { separation_uuid: string })[],
): Promise<void> {
  await sql`
    insert into deleted_instance (
      seq, storage_namespace, study_key, series_uid, sop_uid, version, is_primary, account_uuid, sha256, generation,
      sop_class, transfer_syntax, instance_number, frames, rows, columns, pixel_offset, length, crc32, tail_crc32,
      preamble_blank, bare_start, accession_number, source, source_name, arrived, is_settled, deleted_at, separation_uuid
    )
    select
      nextval(pg_get_serial_sequence('instance', 'seq')), r.storage_namespace, r.study_key, r.series_uid, r.sop_uid,
      r.version, r.is_primary, r.account_uuid, decode(r.sha256, 'hex'), r.generation, r.sop_class, r.transfer_syntax,
      r.instance_number, r.frames, r.rows, r.columns, r.pixel_offset, r.length, r.crc32, r.tail_crc32, r.preamble_blank,
      r.bare_start, r.accession_number, r.source, r.source_name, now(), false, now(), r.separation_uuid
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(
      storage_namespace uuid, study_key bigint, series_uid text, sop_uid text, version uuid, is_primary boolean,
      account_uuid uuid, sha256 text, generation integer, sop_class text, transfer_syntax text,
      instance_number integer, frames integer, rows integer, columns integer, pixel_offset bigint, length bigint,
      crc32 bigint, tail_crc32 bigint, preamble_blank boolean, bare_start integer, accession_number text,
      source text, source_name text, separation_uuid uuid
    )
  `.execute(tx)
}
