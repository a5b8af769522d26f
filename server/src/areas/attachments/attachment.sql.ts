import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

export type StoredAttachment = { id: string; version: string; filename: string; length: number; stored: Date }

export async function listAttachments(db: Db, phiNamespace: string, studyUuid: string): Promise<StoredAttachment[]> {
  const { rows } = await sql<StoredAttachment>`
    select a.id, a.version, a.filename, a.length, a.stored
    from attachment a
    where a.phi_namespace = ${phiNamespace}
      and a.study_uuid = ${studyUuid}
      and a.deleted_at is null
    order by a.stored desc, a.id, a.version
  `.execute(db)
  return rows
}

/** An attachment and where its bytes lie. */
export type FoundAttachment = StoredAttachment & {
  object_key: string
  byte_offset: number
}

/** One version of one attachment; without a key the one that came last. */
export async function findAttachment(
  db: Db,
  phiNamespace: string,
  studyUuid: string,
  key?: { id: string; version: string },
): Promise<FoundAttachment | undefined> {
  const { rows } = await sql<FoundAttachment>`
    select a.id, a.version, a.filename, a.length, a.stored, b.object_key, b.byte_offset
    from attachment a
    join blob b on b.account_uuid = a.account_uuid and b.sha256 = a.sha256 and b.generation = a.generation
    where a.phi_namespace = ${phiNamespace}
      and a.study_uuid = ${studyUuid}
      and a.deleted_at is null
      and (${key?.id ?? null}::uuid is null or (a.id = ${key?.id ?? null}::uuid and a.version = ${key?.version ?? null}::uuid))
    order by a.stored desc, a.id, a.version
    limit 1
  `.execute(db)
  return rows[0]
}

/** Locks the record against other changes; false when it is gone. */
export async function lockRecord(tx: Tx, phiNamespace: string, studyUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from study s
    where s.phi_namespace = ${phiNamespace}
      and s.uuid = ${studyUuid}
      and s.deleted_at is null
    for update
  `.execute(tx)
  return rows.length > 0
}

/** The id under which a file of this name is attached already. */
export async function findAttachmentId(
  tx: Tx,
  phiNamespace: string,
  studyUuid: string,
  filename: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select a.id
    from attachment a
    where a.phi_namespace = ${phiNamespace}
      and a.study_uuid = ${studyUuid}
      and a.filename = ${filename}
      and a.deleted_at is null
    order by a.stored desc, a.id
    limit 1
  `.execute(tx)
  return rows[0]?.id
}

type NewAttachment = {
  phi_namespace: string
  study_uuid: string
  id: string
  version: string
  filename: string
  account_uuid: string
  /** Hex. */
  sha256: string
  generation: number
  length: number
  stored_by: string | null
}

/** Enters a version. One that is there already stays as it is, and one that was deleted is back. */
export async function insertAttachment(
  tx: Tx,
  one: NewAttachment,
  at: Date,
): Promise<{ attachment: StoredAttachment; isNew: boolean }> {
  const { rows } = await sql<StoredAttachment>`
    insert into attachment (phi_namespace, study_uuid, id, version, filename, account_uuid, sha256, generation, length,
      stored, stored_by)
    values (${one.phi_namespace}, ${one.study_uuid}, ${one.id}, ${one.version}, ${one.filename}, ${one.account_uuid},
      decode(${one.sha256}, 'hex'), ${one.generation}, ${one.length}, ${at}, ${one.stored_by})
    on conflict (phi_namespace, study_uuid, id, version) do update
    set deleted_at = null, generation = excluded.generation, stored = excluded.stored, stored_by = excluded.stored_by
    where attachment.deleted_at is not null
    returning id, version, filename, length, stored
  `.execute(tx)
  const [made] = rows
  if (made) return { attachment: made, isNew: true }
  const known = await findAttachment(tx, one.phi_namespace, one.study_uuid, one)
  if (!known) throw new Error('An attachment that was just met is gone')
  return { attachment: known, isNew: false }
}

/** Takes a version away; it can be brought back until it is purged. False when there is none. */
export async function markAttachmentDeleted(
  tx: Tx,
  phiNamespace: string,
  studyUuid: string,
  key: { id: string; version: string },
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update attachment
    set deleted_at = ${at}
    where phi_namespace = ${phiNamespace}
      and study_uuid = ${studyUuid}
      and id = ${key.id}
      and version = ${key.version}
      and deleted_at is null
    returning 1
  `.execute(tx)
  return rows.length > 0
}

/** Gives a version another name. False when it has that name, or is not there. */
export async function renameAttachment(
  tx: Tx,
  phiNamespace: string,
  studyUuid: string,
  key: { id: string; version: string },
  filename: string,
): Promise<boolean> {
  const { rows } = await sql`
    update attachment
    set filename = ${filename}
    where phi_namespace = ${phiNamespace}
      and study_uuid = ${studyUuid}
      and id = ${key.id}
      and version = ${key.version}
      and filename <> ${filename}
      and deleted_at is null
    returning 1
  `.execute(tx)
  return rows.length > 0
}

/** Brings the record's count up to its attachments. */
export async function countAttachments(tx: Tx, phiNamespace: string, studyUuid: string, at: Date): Promise<void> {
  await sql`
    update study s
    set attachment_count = (
        select count(*)
        from attachment a
        where a.phi_namespace = s.phi_namespace and a.study_uuid = s.uuid and a.deleted_at is null
      ),
      updated = ${at}
    where s.phi_namespace = ${phiNamespace}
      and s.uuid = ${studyUuid}
  `.execute(tx)
}
