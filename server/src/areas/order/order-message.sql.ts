import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { areOtherAuthorities } from './authority.sql.ts'
import { type StoredOrder, type StoredStep, storedOrderColumns } from './order-write.sql.ts'

/** A place that other systems send orders to, by the name that they call it. */
export interface OrderPlace {
  namespaceUuid: string
  accountUuid: string
  /** The assigning authority of the account's own numbers; mostly empty. */
  accountIssuer: string
  /** The namespace's setting `hl7_senders`; null when it has none. */
  senders: string | null
}

/** The group, location or organisation that has this AE title; nobody's own studies take orders. */
export async function findOrderPlaceByTitle(db: Db, title: string): Promise<OrderPlace | undefined> {
  const { rows } = await sql<OrderPlace>`
    select n.uuid as "namespaceUuid", n.account_uuid as "accountUuid", a.issuer as "accountIssuer",
      senders.value as senders
    from setting title
    join namespace n on n.uuid = title.scope_uuid
    join account a on a.uuid = n.account_uuid
    left join setting senders
      on senders.scope = 'namespace' and senders.scope_uuid = n.uuid and senders.key = 'hl7_senders'
    where title.scope = 'namespace' and title.key = 'dicom_ae_title' and title.value = ${title}
      and n.kind <> 'user' and n.gone_at is null
  `.execute(db)
  return rows[0]
}

/** Keeps messages to one place apart, until the end of the transaction: each acts on what those before it left. */
export async function lockOrdersOf(db: Db, namespaceUuid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('order messages ' || ${namespaceUuid}::text, 0))`.execute(db)
}

/** Notes a message as taken. @returns whether it is new */
export async function noteOrderMessage(
  db: Db,
  namespaceUuid: string,
  message: { sender: string; controlId: string; digest: Buffer },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into order_message (namespace_uuid, sender, control_id, digest)
    values (${namespaceUuid}, ${message.sender}, ${message.controlId}, ${message.digest})
    on conflict do nothing
  `.execute(db)
  return numAffectedRows === 1n
}

/** Forgets messages that were taken before. */
export async function deleteOrderMessagesBefore(db: Db, before: Date): Promise<void> {
  await sql`
    delete from order_message
    where received < ${before}
  `.execute(db)
}

/** The order of a place that has this number, locked: of several the oldest of those that hold. */
export async function lockOrderByNumber(
  db: Db,
  namespaceUuid: string,
  orderNumber: string,
): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`
    select ${storedOrderColumns}
    from imaging_order o
    where o.namespace_uuid = ${namespaceUuid} and o.order_number = ${orderNumber} and o.order_number <> ''
    order by o.cancelled_at is not null, o.created, o.uuid
    limit 1
    for update
  `.execute(db)
  return rows[0]
}

/** The orders of a place for a patient's number, locked; an issuer that one of the two does not name fits any. */
export async function lockOrdersOfPatient(
  db: Db,
  namespaceUuid: string,
  { patientid, issuer }: { patientid: string; issuer: string },
): Promise<StoredOrder[]> {
  const { rows } = await sql<StoredOrder>`
    select ${storedOrderColumns}
    from imaging_order o
    where o.namespace_uuid = ${namespaceUuid}
      and folded_id(o.patientid) = folded_id(${patientid}::text)
      and not ${areOtherAuthorities(sql`o.issuer`, sql`${issuer}::text`, sql`o.account_uuid`)}
    order by o.created, o.uuid
    for update
  `.execute(db)
  return rows
}

/** The steps of an order, the earliest first. */
export async function listSteps(db: Db, orderUuid: string): Promise<StoredStep[]> {
  const { rows } = await sql<StoredStep>`
    select p.uuid, p.account_uuid, p.order_uuid, p.modality, p.scheduled_procedure_step_id, p.requested_procedure_id,
      p.requested_procedure_description, p.scheduled_station_aetitle, p.scheduled_procedure_step_start_date,
      p.scheduled_procedure_step_start_time, p.scheduled_procedure_step_description
    from order_step p
    where p.order_uuid = ${orderUuid}
    order by p.scheduled_procedure_step_start_date, p.scheduled_procedure_step_start_time, p.uuid
  `.execute(db)
  return rows
}

/** Progress of a step, and the UID of the performed procedure step that told of it. */
interface StepProgress {
  mpps_status: string
  mpps_uid: string
}

export async function findProgress(db: Db, uuid: string): Promise<StepProgress | undefined> {
  const { rows } = await sql<StepProgress>`
    select p.mpps_status, p.mpps_uid
    from order_step p
    where p.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

/** Sets the progress of a step; steps that are completed or discontinued leave the worklist. */
export async function setStepStatus(
  db: Db,
  uuid: string,
  { mpps_status, mpps_uid }: { mpps_status: string; mpps_uid?: string | undefined },
): Promise<void> {
  await sql`
    update order_step
    set mpps_status = ${mpps_status}, mpps_uid = coalesce(${mpps_uid ?? null}::text, mpps_uid)
    where uuid = ${uuid}
  `.execute(db)
}

/**
 * The number that a patient's number ended in, one step; undefined while it is in use. An issuer that one of the two does
 * not name fits any, as for the orders that a merge moves, unless numbers of several issuers ended in different ones.
 */
export async function findMergedInto(
  db: Db,
  namespaceUuid: string,
  { patientid, issuer }: { patientid: string; issuer: string },
): Promise<{ patientid: string; issuer: string } | undefined> {
  const { rows } = await sql<{ patientid: string; issuer: string; is_own: boolean }>`
    select distinct on (folded_id(m.patientid), folded_id(m.issuer)) m.patientid, m.issuer,
      m.prior_issuer = folded_id(${issuer}::text) as is_own
    from merged_patient m
    where m.namespace_uuid = ${namespaceUuid} and ${endedAs(patientid, issuer)}
      and (folded_id(m.patientid), folded_id(m.issuer)) <> (folded_id(${patientid}::text), folded_id(${issuer}::text))
    order by folded_id(m.patientid), folded_id(m.issuer), is_own desc
  `.execute(db)
  return rows.find((one) => one.is_own) ?? (rows.length === 1 ? rows[0] : undefined)
}

const endedAs = (patientid: string, issuer: string) => sql`m.prior_id = folded_id(${patientid}::text)
  and not ${areOtherAuthorities(sql`m.prior_issuer`, sql`${issuer}::text`, accountOfMerge)}`
const accountOfMerge = sql`(select n.account_uuid from namespace n where n.uuid = m.namespace_uuid)`

/** Forgets that a number ended: it is in use again. */
export async function forgetMerges(
  db: Db,
  namespaceUuid: string,
  { patientid, issuer }: { patientid: string; issuer: string },
): Promise<void> {
  await sql`
    delete from merged_patient m
    where m.namespace_uuid = ${namespaceUuid} and ${endedAs(patientid, issuer)}
  `.execute(db)
}

/** Notes that a number ended in another, which is in use. */
export async function noteMerge(
  db: Db,
  namespaceUuid: string,
  prior: { patientid: string; issuer: string },
  into: { patientid: string; issuer: string },
): Promise<void> {
  await sql`
    insert into merged_patient (namespace_uuid, prior_id, prior_issuer, patientid, issuer)
    values (${namespaceUuid}, folded_id(${prior.patientid}::text), folded_id(${prior.issuer}::text), ${into.patientid},
      ${into.issuer})
    on conflict (namespace_uuid, prior_id, prior_issuer) do update
    set patientid = excluded.patientid, issuer = excluded.issuer, merged = now()
  `.execute(db)
}
