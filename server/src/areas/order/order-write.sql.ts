import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** An order as it is kept, its steps aside. */
export interface StoredOrder {
  uuid: string
  account_uuid: string
  /** The group that it is for. */
  namespace_uuid: string | null
  order_number: string
  accession_number: string
  patientid: string
  /** The assigning authority of the patient's number; empty where nobody named one. */
  issuer: string
  patient_name: string
  /** The name as it is searched. */
  search: string
  patient_sex: string
  /** YYYYMMDD or empty. */
  patient_birth_date: string
  referring_physician: string
  sending_facility: string
  /** The study that the images shall be, as the sender wants it; empty for one made of the order's uuid. */
  study_uid: string
  /** `hl7`, `person` or `program`: where the order came from, whoever changed it since. */
  source: string
  is_cancelled: boolean
  /** By the uuid of the field. */
  customfields: Record<string, string>
}

/** A scheduled procedure step as it is kept. */
export interface StoredStep {
  uuid: string
  account_uuid: string
  order_uuid: string
  modality: string
  scheduled_procedure_step_id: string
  requested_procedure_id: string
  requested_procedure_description: string
  scheduled_station_aetitle: string
  scheduled_procedure_step_start_date: string
  scheduled_procedure_step_start_time: string
  scheduled_procedure_step_description: string
}

/** An order, locked until the end of the transaction: what two change at once is changed one after the other. */
export async function lockOrder(db: Db, uuid: string): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`
    select ${storedOrderColumns}
    from imaging_order o
    where o.uuid = ${uuid}
    for update
  `.execute(db)
  return rows[0]
}

/** Columns of an order as it is stored. */
export const storedOrderColumns = sql`o.uuid, o.account_uuid, o.namespace_uuid, o.order_number, o.accession_number, o.patientid,
  o.issuer, o.patient_name, o.search, o.patient_sex, o.patient_birth_date, o.referring_physician, o.sending_facility,
  o.study_uid, o.source, o.cancelled_at is not null as is_cancelled, o.customfields`

/** Writes an order, new or changed. */
export async function saveOrder(db: Db, one: StoredOrder): Promise<void> {
  await sql`
    insert into imaging_order (uuid, account_uuid, namespace_uuid, order_number, accession_number, patientid, issuer,
      patient_name, search, patient_sex, patient_birth_date, referring_physician, sending_facility, study_uid, source, cancelled_at,
      customfields)
    values (${one.uuid}, ${one.account_uuid}, ${one.namespace_uuid}, ${one.order_number}, ${one.accession_number},
      ${one.patientid}, ${one.issuer}, ${one.patient_name}, ${one.search}, ${one.patient_sex},
      ${one.patient_birth_date}, ${one.referring_physician}, ${one.sending_facility}, ${one.study_uid}, ${one.source},
      case when ${one.is_cancelled} then now() end, ${JSON.stringify(one.customfields)}::jsonb)
    on conflict (account_uuid, uuid) do update
    set namespace_uuid = excluded.namespace_uuid, order_number = excluded.order_number,
      accession_number = excluded.accession_number, patientid = excluded.patientid, issuer = excluded.issuer,
      patient_name = excluded.patient_name, search = excluded.search, patient_sex = excluded.patient_sex,
      patient_birth_date = excluded.patient_birth_date, referring_physician = excluded.referring_physician,
      sending_facility = excluded.sending_facility, study_uid = excluded.study_uid,
      cancelled_at = case when excluded.cancelled_at is not null
        then coalesce(imaging_order.cancelled_at, excluded.cancelled_at) end,
      customfields = excluded.customfields, updated = now()
  `.execute(db)
}

/** Deletes an order with its steps. */
export async function deleteOrder(db: Db, uuid: string): Promise<void> {
  await sql`delete from imaging_order where uuid = ${uuid}`.execute(db)
}

export async function findStep(db: Db, uuid: string): Promise<StoredStep | undefined> {
  const { rows } = await sql<StoredStep>`
    select p.uuid, p.account_uuid, p.order_uuid, p.modality, p.scheduled_procedure_step_id, p.requested_procedure_id,
      p.requested_procedure_description, p.scheduled_station_aetitle, p.scheduled_procedure_step_start_date,
      p.scheduled_procedure_step_start_time, p.scheduled_procedure_step_description
    from order_step p
    where p.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

/** Writes a step, new or changed; what a modality told of it stays. */
export async function saveStep(db: Db, one: StoredStep): Promise<void> {
  await sql`
    insert into order_step (uuid, account_uuid, order_uuid, modality, scheduled_procedure_step_id, requested_procedure_id,
      requested_procedure_description, scheduled_station_aetitle, scheduled_procedure_step_start_date,
      scheduled_procedure_step_start_time, scheduled_procedure_step_description)
    values (${one.uuid}, ${one.account_uuid}, ${one.order_uuid}, ${one.modality}, ${one.scheduled_procedure_step_id},
      ${one.requested_procedure_id}, ${one.requested_procedure_description}, ${one.scheduled_station_aetitle},
      ${one.scheduled_procedure_step_start_date}, ${one.scheduled_procedure_step_start_time},
      ${one.scheduled_procedure_step_description})
    on conflict (account_uuid, order_uuid, uuid) do update
    set modality = excluded.modality, scheduled_procedure_step_id = excluded.scheduled_procedure_step_id,
      requested_procedure_id = excluded.requested_procedure_id,
      requested_procedure_description = excluded.requested_procedure_description,
      scheduled_station_aetitle = excluded.scheduled_station_aetitle,
      scheduled_procedure_step_start_date = excluded.scheduled_procedure_step_start_date,
      scheduled_procedure_step_start_time = excluded.scheduled_procedure_step_start_time,
      scheduled_procedure_step_description = excluded.scheduled_procedure_step_description
  `.execute(db)
}

export async function deleteStep(db: Db, uuid: string): Promise<void> {
  await sql`delete from order_step where uuid = ${uuid}`.execute(db)
}

/** The order that an item of a worklist was made into; nobody else makes one of it until the end of the transaction. */
export async function lockWorklistOrder(
  db: Db,
  place: { accountUuid: string; namespaceUuid: string },
  key: string,
): Promise<StoredOrder | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended('worklist ' || ${key}::text, 0))`.execute(db)
  const { rows } = await sql<StoredOrder>`
    select ${storedOrderColumns}
    from imaging_order o
    where o.account_uuid = ${place.accountUuid} and o.namespace_uuid = ${place.namespaceUuid} and o.worklist_key = ${key}
    for update
  `.execute(db)
  return rows[0]
}

/** Names the item of a worklist that an order was made of. */
export async function setWorklistKey(db: Db, uuid: string, key: string): Promise<void> {
  await sql`
    update imaging_order
    set worklist_key = ${key}
    where uuid = ${uuid}
  `.execute(db)
}
