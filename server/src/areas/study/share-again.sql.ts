import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { patientToSend } from '../storage/sent-patient.sql.ts'
import type { ShareRow } from './share.sql.ts'

interface RecordKey {
  phi_namespace: string
  uuid: string
}

/** Changes a share that waits, and names the person who asked for it last as the one who gives, with the patient whom they saw. @param secondsLeft until it is delivered; null leaves its moment */
export async function changeWaitingShare(
  tx: Tx,
  share: Pick<
    ShareRow,
    'uuid' | 'message' | 'minutes' | 'by_user' | 'with_attachments' | 'customfields' | 'mixed_seen'
  >,
  secondsLeft: number | null,
): Promise<void> {
  await sql`
    update share h
    set message = ${share.message}, minutes = ${share.minutes}, by_user = ${share.by_user},
      with_attachments = ${share.with_attachments}, mixed_seen = ${share.mixed_seen},
      customfields = ${JSON.stringify(share.customfields)}::jsonb,
      run_at = coalesce(now() + make_interval(secs => ${secondsLeft}), run_at),
      for_patient = (
        select ${patientToSend} from study s where s.phi_namespace = h.from_namespace and s.uuid = h.study_uuid
      )
    where uuid = ${share.uuid}
  `.execute(tx)
}

/** Has a delivered share take along what is attached, with an approval that it waits for, or that a restored one will. */
export async function takeAttachmentsAlong(tx: Tx, shareUuid: string): Promise<void> {
  await sql`update share set with_attachments = true where uuid = ${shareUuid}`.execute(tx)
}

/**
 * Puts a new message in the place of that of a delivered share, where it stands on the record: where this very share made
 * the record, in the transaction of its delivery, and nothing of both waits for approval.
 * @returns false where the message stays
 */
export async function changeShownMessage(
  tx: Tx,
  record: RecordKey,
  shareUuid: string,
  message: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with shown as (
      update study s
      set share_message = ${message}, updated = now(), row_version = s.row_version + 1
      from share h
      where h.uuid = ${shareUuid} and not h.awaits_approval and s.created = h.delivered_at
        and s.phi_namespace = ${record.phi_namespace} and s.uuid = ${record.uuid}
        and s.source = 'share' and not s.must_approve
      returning s.uuid
    )
    update share set message = ${message} where uuid = ${shareUuid} and exists (select from shown)
  `.execute(tx)
  return numAffectedRows === 1n
}

/** Whether the record of a place has these values of custom fields, by uuid. */
export async function showsFields(
  db: Db,
  { phi_namespace, study_uid }: { phi_namespace: string; study_uid: string },
  fields: Readonly<Record<string, string>>,
): Promise<boolean> {
  if (Object.keys(fields).length === 0) return true
  const { rows } = await sql`
    select
    from study
    where phi_namespace = ${phi_namespace} and study_uid = ${study_uid} and deleted_at is null
      and customfields @> ${JSON.stringify(fields)}::jsonb
  `.execute(db)
  return rows.length > 0
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
