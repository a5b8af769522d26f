import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { boundByNewer } from './ended-sources.sql.ts'

/* Shares, pushes and nominations of a deleted record, handed on to the one of the same study into which it is restored. */

type RecordKey = { phi_namespace: string; uuid: string }

/** Shares of a record; one with a recipient who has the study from the other record by now goes with that share (0232). */
export async function carryGiven(tx: Tx, from: RecordKey, to: RecordKey): Promise<void> {
  await sql`
    update share h
    set study_uuid = ${to.uuid}, goes_with = case when h.state in ('scheduled', 'delivered') then coalesce((
        select o.uuid
        from share o
        where o.study_uuid = ${to.uuid} and o.to_kind = h.to_kind and o.to_uuid = h.to_uuid
          and o.state in ('scheduled', 'delivered') and o.goes_with is null
      ), h.goes_with) end
    where h.study_uuid = ${from.uuid}
  `.execute(tx)
  await boundByNewer(tx, to.uuid)
}

/**
 * Links to a record, but for those that were made to images of one patient where the other record has several. Uses
 * link_study_of_study.
 */
export async function carryLinks(tx: Tx, from: RecordKey, to: RecordKey): Promise<void> {
  await sql`
    update link_study l
    set study_uuid = ${to.uuid}
    from study d, study s
    where l.phi_namespace = ${from.phi_namespace} and l.study_uuid = ${from.uuid}
      and d.phi_namespace = ${from.phi_namespace} and d.uuid = ${from.uuid}
      and s.phi_namespace = ${to.phi_namespace} and s.uuid = ${to.uuid}
      and (d.mixed_patients or not s.mixed_patients)
      and not exists (
        select
        from link_study o
        where o.link_uuid = l.link_uuid and o.phi_namespace = ${to.phi_namespace} and o.study_uuid = ${to.uuid}
      )
  `.execute(tx)
}

/**
 * Copies that were made of the images of a record, with or without names, so that they are taken back with the other
 * record. Uses study_source_copied_from, nameless_copy_of_study and nameless_copy_copied_from.
 */
export async function carryCopies(tx: Tx, from: RecordKey, to: RecordKey): Promise<void> {
  await sql`
    update study_source
    set copied_from = copied_from || ${to.uuid}::uuid
    where copied_from @> array[${from.uuid}]::uuid[] and study_uuid <> ${to.uuid}
  `.execute(tx)
  await sql`
    update nameless_copy
    set copied_from = copied_from || ${to.uuid}::uuid
    where copied_from @> array[${from.uuid}]::uuid[]
  `.execute(tx)
  await sql`
    update nameless_copy
    set study_uuid = ${to.uuid}
    where phi_namespace = ${from.phi_namespace} and study_uuid = ${from.uuid}
  `.execute(tx)
}

/**
 * Pushes to destinations that the other record was not sent to, with what these were asked to commit themselves to, and
 * under whom images left, where those of the other did not leave later.
 */
export async function carrySent(tx: Tx, from: RecordKey, to: RecordKey): Promise<void> {
  await sql`
    with carried as (
      update push p
      set study_uuid = ${to.uuid}
      where p.phi_namespace = ${from.phi_namespace} and p.study_uuid = ${from.uuid}
        and not exists (
          select
          from push o
          where o.phi_namespace = p.phi_namespace and o.study_uuid = ${to.uuid}
            and o.destination_uuid = p.destination_uuid
        )
      returning p.uuid
    )
    update push_commitment c
    set study_uuid = ${to.uuid}
    from carried
    where c.push_uuid = carried.uuid
  `.execute(tx)
  await sql`
    insert into departure (phi_namespace, study_uuid, destination_uuid, sent_as, updated)
    select o.phi_namespace, ${to.uuid}, o.destination_uuid, o.sent_as, o.updated
    from departure o
    where o.phi_namespace = ${from.phi_namespace} and o.study_uuid = ${from.uuid}
    on conflict (phi_namespace, study_uuid, destination_uuid) do update
    set sent_as = excluded.sent_as, updated = excluded.updated
    where departure.updated < excluded.updated
  `.execute(tx)
}

/**
 * Nominations of a record, and the one by which it came to a gatekeeper group. Where the other record came by one as well,
 * that decides there, and this one stands at its sender alone, as does one that was sent: nobody nominated the images of the
 * other record.
 */
export async function carryNominations(tx: Tx, from: RecordKey, to: RecordKey): Promise<void> {
  await sql`
    update nomination
    set study_uuid = ${to.uuid}
    where study_uuid = ${from.uuid}
  `.execute(tx)
  await sql`
    update nomination m
    set gate_uuid = ${to.uuid}
    where m.gate_uuid = ${from.uuid} and m.state not in ('sent', 'cancelled')
      and not exists (
        select
        from nomination o
        where o.gate_uuid = ${to.uuid} and o.state <> 'cancelled'
      )
  `.execute(tx)
  await sql`
    update study s
    set nominated_at = coalesce(s.nominated_at, d.nominated_at), priority = greatest(s.priority, d.priority)
    from study d
    where s.phi_namespace = ${to.phi_namespace} and s.uuid = ${to.uuid}
      and d.phi_namespace = ${from.phi_namespace} and d.uuid = ${from.uuid}
      and ${isNominated}
  `.execute(tx)
  await sql`
    update study s
    set customfields = s.customfields - array(
      select c.uuid::text
      from customfield c
      where c.account_uuid = s.account_uuid
        and c.gate_key in ('submission_status', 'selected_gatekeeper', 'submitted_at', 'source_study_id',
          'nomination_push_status')
    )
    where s.phi_namespace = ${to.phi_namespace} and s.uuid = ${to.uuid} and not ${isNominated}
  `.execute(tx)
}

/** Record `s` was nominated, or came by a nomination. */
const isNominated = sql`exists (
  select
  from nomination m
  where (m.study_uuid = s.uuid or m.gate_uuid = s.uuid) and m.state <> 'cancelled'
)`
