import type { ReferencedImage } from '@hilum/dicom/dimse/commitment'
import { sql } from 'kysely'
import { drawsOnStored } from '../../access/record-sources.sql.ts'
import type { Db } from '../../db/database.ts'

/** A question of a peer for commitment, which is still to be reported on. */
interface CommitmentQuestion {
  uuid: string
  namespace_uuid: string
  destination_uuid: string
  transaction_uid: string
  images: ReferencedImage[]
}

export async function insertQuestion(db: Db, one: CommitmentQuestion): Promise<void> {
  await sql`
    insert into commitment_question (uuid, namespace_uuid, destination_uuid, transaction_uid, images)
    values (${one.uuid}, ${one.namespace_uuid}, ${one.destination_uuid}, ${one.transaction_uid},
      ${JSON.stringify(one.images)}::jsonb)
  `.execute(db)
}

export async function findQuestion(db: Db, uuid: string): Promise<CommitmentQuestion | undefined> {
  const { rows } = await sql<CommitmentQuestion>`
    select q.uuid, q.namespace_uuid, q.destination_uuid, q.transaction_uid, q.images
    from commitment_question q
    where q.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

export async function deleteQuestion(db: Db, uuid: string): Promise<void> {
  await sql`delete from commitment_question where uuid = ${uuid}`.execute(db)
}

/** Where an image of a namespace lies, one row for each content under its name. */
export interface HeldImage {
  sop_uid: string
  sop_class: string
  object_key: string
  byte_offset: number
  length: number
}

/**
 * Images of these names that a namespace itself stores, in studies that nobody has deleted there. Uses instance_by_sop_uid.
 */
export async function listHeldImages(db: Db, namespaceUuid: string, sopUids: readonly string[]): Promise<HeldImage[]> {
  const { rows } = await sql<HeldImage>`
    select i.sop_uid, i.sop_class, b.object_key, b.byte_offset, i.length
    from unnest(${[...sopUids]}::text[]) as r (sop_uid)
    join instance i on i.storage_namespace = ${namespaceUuid} and i.sop_uid = r.sop_uid
    join stored_study t on t.key = i.study_key and t.storage_namespace = i.storage_namespace and t.ended_at is null
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
    where exists (
      select
      from study s
      where s.phi_namespace = ${namespaceUuid} and s.deleted_at is null and ${drawsOnStored}
    )
  `.execute(db)
  return rows
}
