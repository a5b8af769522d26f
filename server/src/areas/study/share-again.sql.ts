import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { ShareRow } from './share.sql.ts'

export interface ReceivedRecord {
  phi_namespace: string
  uuid: string
  /** The whole record waits for approval. */
  must_approve: boolean
}

/** Changes a share, and names the person who asked for it last as the one who gives. @param secondsLeft until it is delivered; null leaves its moment */
export async function changeShare(
  tx: Tx,
  share: Pick<ShareRow, 'uuid' | 'message' | 'minutes' | 'by_user' | 'with_attachments'>,
  secondsLeft: number | null,
): Promise<void> {
  await sql`
    update share
    set message = ${share.message}, minutes = ${share.minutes}, by_user = ${share.by_user},
      with_attachments = ${share.with_attachments},
      run_at = coalesce(now() + make_interval(secs => ${secondsLeft}), run_at)
    where uuid = ${share.uuid}
  `.execute(tx)
}

/** The record that a recipient has of a study. */
export async function findRecordIn(
  tx: Tx,
  namespaceUuid: string,
  studyUid: string,
): Promise<ReceivedRecord | undefined> {
  const { rows } = await sql<ReceivedRecord>`
    select s.phi_namespace, s.uuid, s.must_approve
    from study s
    where s.phi_namespace = ${namespaceUuid} and s.study_uid = ${studyUid} and s.deleted_at is null
  `.execute(tx)
  return rows[0]
}

/** Puts a new message in the place of the one that a record shows of the share that made it. */
export async function changeShownMessage(
  tx: Tx,
  record: { phi_namespace: string; uuid: string },
  { from, to }: { from: string; to: string },
): Promise<void> {
  await sql`
    update study
    set share_message = ${to}, updated = now(), row_version = row_version + 1
    where phi_namespace = ${record.phi_namespace} and uuid = ${record.uuid} and share_message = ${from}
      and source = 'share'
  `.execute(tx)
}

/** When a share leaves, where it waits, and when it ends. */
export async function findMoments(
  db: Db,
  shareUuid: string,
): Promise<{ run_at: string | null; expires_at: string | null }> {
  const { rows } = await sql<{ run_at: string | null; expires_at: string | null }>`
    select
      case when state = 'scheduled' then to_char(run_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') end as run_at,
      to_char(
        coalesce(expires_at, case when state = 'scheduled' then run_at + make_interval(mins => minutes) end)
          at time zone 'UTC',
        'YYYY-MM-DD HH24:MI:SS.US+00'
      ) as expires_at
    from share
    where uuid = ${shareUuid}
  `.execute(db)
  return rows[0] ?? { run_at: null, expires_at: null }
}
