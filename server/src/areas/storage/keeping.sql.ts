import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

type RecordKey = { phi_namespace: string; uuid: string }

/** Puts a record under a legal hold, or ends it. */
export async function setHold(tx: Tx, key: RecordKey, reason: string | undefined): Promise<void> {
  await sql`
    update study
    set hold = ${reason !== undefined}, hold_reason = ${reason ?? ''}, updated = now(), row_version = row_version + 1
    where phi_namespace = ${key.phi_namespace}
      and uuid = ${key.uuid}
  `.execute(tx)
}

/** Notes who says, with a reason, that the patients named so far are one; false when the record names one only. */
export async function overruleMixed(
  tx: Tx,
  key: RecordKey,
  said: { reason: string; by: string; at: string },
): Promise<boolean> {
  const { rows } = await sql`
    update study s
    set mixed_overrule = ${JSON.stringify(said)}::jsonb
        || jsonb_build_object('identities', coalesce(t.identities, '[]')),
      updated = now(), row_version = s.row_version + 1
    from study k
    left join stored_study t on t.storage_namespace = k.storage_namespace and t.study_uid = k.study_uid
    where s.phi_namespace = ${key.phi_namespace}
      and s.uuid = ${key.uuid}
      and k.phi_namespace = s.phi_namespace
      and k.uuid = s.uuid
      and s.mixed_patients
    returning 1
  `.execute(tx)
  return rows.length > 0
}
