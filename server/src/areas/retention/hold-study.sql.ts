import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { identitiesOfRecord } from '../altered/outgoing-record.sql.ts'

type RecordKey = { phi_namespace: string; uuid: string }

/** Puts a record under a legal hold; a further hold replaces the reason. False when the record is gone. */
export async function setHold(tx: Tx, key: RecordKey, reason: string): Promise<boolean> {
  const { rows } = await sql`
    update study
    set hold = true, hold_reason = ${reason}, updated = now(), row_version = row_version + 1
    where phi_namespace = ${key.phi_namespace}
      and uuid = ${key.uuid}
    returning 1
  `.execute(tx)
  return rows.length > 0
}

/** Ends the legal hold on a record; false when there is none. */
export async function clearHold(tx: Tx, key: RecordKey): Promise<boolean> {
  const { rows } = await sql`
    update study
    set hold = false, hold_reason = '', updated = now(), row_version = row_version + 1
    where phi_namespace = ${key.phi_namespace}
      and uuid = ${key.uuid}
      and hold
    returning 1
  `.execute(tx)
  return rows.length > 0
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
        || jsonb_build_object('identities', ${identitiesOfRecord}),
      updated = now(), row_version = s.row_version + 1
    where s.phi_namespace = ${key.phi_namespace}
      and s.uuid = ${key.uuid}
      and s.mixed_patients
    returning 1
  `.execute(tx)
  return rows.length > 0
}
