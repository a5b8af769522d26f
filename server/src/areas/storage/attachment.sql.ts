import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

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
