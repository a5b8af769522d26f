import {
  areOtherAuthorities,
  authorityOf,
  type GivenNumber,
  isOneNumber,
  ownNamesOf,
  type OwnNames,
} from '@hilum/dicom/authority'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type StoredOrder, type StoredStep, storedOrderColumns } from './order-write.sql.ts'

/** A place that other systems send orders to, by the name that they call it. */
export interface OrderPlace {
  namespaceUuid: string
  accountUuid: string
  /** Names of the assigning authority of the account's own numbers; mostly none. */
  ownNames: OwnNames
  /** The namespace's setting `hl7_senders`; null when it has none. */
  senders: string | null
}

/** The group, location or organisation that has this AE title; nobody's own studies take orders. */
export async function findOrderPlaceByTitle(db: Db, title: string): Promise<OrderPlace | undefined> {
  const { rows } = await sql<Omit<OrderPlace, 'ownNames'> & { issuer: string; others: string }>`
    select n.uuid as "namespaceUuid", n.account_uuid as "accountUuid", a.issuer, coalesce(others.value, '') as others,
      senders.value as senders
    from setting title
    join namespace n on n.uuid = title.scope_uuid
    join account a on a.uuid = n.account_uuid
    left join setting senders
      on senders.scope = 'namespace' and senders.scope_uuid = n.uuid and senders.key = 'hl7_senders'
    left join setting others
      on others.scope = 'account' and others.scope_uuid = a.uuid and others.key = 'other_issuers'
    where title.scope = 'namespace' and title.key = 'dicom_ae_title' and title.value = ${title}
      and n.kind <> 'user' and n.gone_at is null
  `.execute(db)
  if (!rows[0]) return undefined
  const { issuer, others, ...place } = rows[0]
  return { ...place, ownNames: ownNamesOf(issuer, others) }
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

/** The orders of a place for a patient's number, locked: those of no other authority. */
export async function lockOrdersOfPatient(
  db: Db,
  { namespaceUuid, ownNames }: OrderPlace,
  { patientid, issuer }: GivenNumber,
): Promise<StoredOrder[]> {
  const { rows } = await sql<StoredOrder>`
    select ${storedOrderColumns}
    from imaging_order o
    where o.namespace_uuid = ${namespaceUuid}
      and folded_id(o.patientid) = folded_id(${patientid}::text)
    order by o.created, o.uuid
    for update
  `.execute(db)
  return rows.filter((one) => !areOtherAuthorities(one.issuer, issuer, ownNames))
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

/** A number that ended: its authority as the message named it, folded, and the number in use. */
interface Merged extends GivenNumber {
  prior_issuer: string
}

/** The merges of a number, under no other authority, the last first. */
async function listMergesOf(
  db: Db,
  { namespaceUuid, ownNames }: OrderPlace,
  { patientid, issuer }: GivenNumber,
): Promise<Merged[]> {
  const { rows } = await sql<Merged>`
    select m.prior_issuer, m.patientid, m.issuer
    from merged_patient m
    where m.namespace_uuid = ${namespaceUuid} and m.prior_id = folded_id(${patientid}::text)
    order by m.merged desc, m.prior_issuer
  `.execute(db)
  return rows.filter((one) => !areOtherAuthorities(one.prior_issuer, issuer, ownNames))
}

/**
 * The number that a patient's number ended in, one step; undefined while it is in use, and where it may be of several
 * authorities under which it ended in different numbers.
 */
export async function findMergedInto(db: Db, place: OrderPlace, number: GivenNumber): Promise<GivenNumber | undefined> {
  const { ownNames } = place
  const merges = (await listMergesOf(db, place, number)).filter((one) => !isOneNumber(one, number, ownNames))
  const [first, ...others] = merges
  const named = merges.find((one) => authorityOf(one.prior_issuer, ownNames) === authorityOf(number.issuer, ownNames))
  const found = named ?? (first && others.every((one) => isOneNumber(one, first, ownNames)) ? first : undefined)
  return found && { patientid: found.patientid, issuer: found.issuer }
}

/** Places of an organisation that were told of an end of these digits. */
export async function listPlacesOfMerge(db: Db, accountUuid: string, patientid: string): Promise<string[]> {
  const { rows } = await sql<{ namespace_uuid: string }>`
    select distinct m.namespace_uuid
    from namespace n
    join merged_patient m on m.namespace_uuid = n.uuid
    where n.account_uuid = ${accountUuid} and m.prior_id = folded_id(${patientid}::text)
    order by m.namespace_uuid
  `.execute(db)
  return rows.map((row) => row.namespace_uuid)
}

/** Numbers that places of an organisation were told to have ended in these digits, at once or by way of others. */
export async function listPriorNumbers(db: Db, accountUuid: string, patientid: string): Promise<GivenNumber[]> {
  const { rows } = await sql<GivenNumber>`
    with recursive prior as (
      select m.prior_id, m.prior_issuer
      from namespace n
      join merged_patient m on m.namespace_uuid = n.uuid
      where n.account_uuid = ${accountUuid} and folded_id(m.patientid) = folded_id(${patientid}::text)
      union
      select m.prior_id, m.prior_issuer
      from prior p
      join merged_patient m on folded_id(m.patientid) = p.prior_id
      join namespace n on n.uuid = m.namespace_uuid and n.account_uuid = ${accountUuid}
    )
    select p.prior_id as patientid, p.prior_issuer as issuer
    from prior p
    order by p.prior_id, p.prior_issuer
  `.execute(db)
  return rows
}

/** Forgets that a number ended: it is in use again. */
export async function forgetMerges(db: Db, place: OrderPlace, number: GivenNumber): Promise<void> {
  await deleteMerges(db, place, number, await listMergesOf(db, place, number))
}

/** Notes that a number ended in another, which is in use: in place of what was noted of it under any name of its authority. */
export async function noteMerge(db: Db, place: OrderPlace, prior: GivenNumber, into: GivenNumber): Promise<void> {
  const { ownNames } = place
  const authority = authorityOf(prior.issuer, ownNames)
  const known = await listMergesOf(db, place, prior)
  const replaced = known.filter((one) => authorityOf(one.prior_issuer, ownNames) === authority)
  await deleteMerges(db, place, prior, replaced)
  await sql`
    insert into merged_patient (namespace_uuid, prior_id, prior_issuer, patientid, issuer)
    values (${place.namespaceUuid}, folded_id(${prior.patientid}::text), folded_id(${prior.issuer}::text), ${into.patientid},
      ${into.issuer})
  `.execute(db)
}

async function deleteMerges(
  db: Db,
  { namespaceUuid }: OrderPlace,
  { patientid }: GivenNumber,
  merges: readonly Merged[],
): Promise<void> {
  await sql`
    delete from merged_patient m
    where m.namespace_uuid = ${namespaceUuid} and m.prior_id = folded_id(${patientid}::text)
      and m.prior_issuer = any(${merges.map((one) => one.prior_issuer)}::text[])
  `.execute(db)
}
