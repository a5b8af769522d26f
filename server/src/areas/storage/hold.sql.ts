import { sql } from 'kysely'
import { drawsOnStored, storedOfRecord } from '../../access/record-sources.sql.ts'
import type { Db } from '../../db/database.ts'
import type { StoredKey } from './ingest.sql.ts'
import { listSources, type RecordName } from './record-images.sql.ts'

/** Holds `h` on patients whom record `s` or its images name, however the number is typed. */
export const holdsOfPatients = sql`patient_hold h
  where h.account_uuid = s.account_uuid and folded_id(h.patientid) <> '' and (
    (h.issuer = s.issuer and folded_id(h.patientid) = folded_id(s.patientid))
    or exists (
      select
      from ${storedOfRecord} t, jsonb_array_elements(t.identities) as i
      where folded_id(i ->> 'patientid') = folded_id(h.patientid) and i ->> 'issuer' = h.issuer
    )
  )`

/** Condition: a patient is under a hold whom record `s` or its images name. */
export const isHeldByPatient = sql`exists (select from ${holdsOfPatients})`

/** Condition: record `s` or one of its patients is under a hold. */
export const isHeld = sql`(s.hold or ${isHeldByPatient})`

/** Stored studies as a table `t`, whether they have rows of their own or not. */
export const tableOf = (keys: readonly StoredKey[]) => sql`unnest(
  ${keys.map((one) => one.storage_namespace)}::uuid[],
  ${keys.map((one) => one.study_uid)}::text[],
  ${keys.map((one) => one.generation)}::integer[]
) as t (storage_namespace, study_uid, generation)`

/** Why the images of these stored studies must stay as they are, if anything says so. */
export async function findHoldOn(db: Db, keys: readonly StoredKey[]): Promise<'hold' | 'frozen' | undefined> {
  const { rows } = await sql<{ held: boolean | null; frozen: boolean | null }>`
    select bool_or(${isHeld}) as held, bool_or(s.is_frozen) as frozen
    from ${tableOf(keys)}
    join study s on ${drawsOnStored}
  `.execute(db)
  if (rows[0]?.held) return 'hold'
  return rows[0]?.frozen ? 'frozen' : undefined
}

/** Why nothing of a record may be taken away, if anything says so: a hold on it, or on any record of the same images. */
export async function findHoldOnRecord(db: Db, record: RecordName): Promise<'hold' | 'frozen' | undefined> {
  const { rows } = await sql<{ held: boolean; frozen: boolean }>`
    select ${isHeld} as held, s.is_frozen as frozen
    from study s
    where s.phi_namespace = ${record.phi_namespace} and s.uuid = ${record.uuid}
  `.execute(db)
  if (rows[0]?.held) return 'hold'
  const ofImages = await findHoldOn(db, await listSources(db, record))
  return ofImages ?? (rows[0]?.frozen ? 'frozen' : undefined)
}
