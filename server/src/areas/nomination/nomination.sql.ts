import { sql } from 'kysely'
import { sourcesByShare, sourcesOf } from '../../access/source-rows.sql.ts'
import type { Db, Tx } from '../../db/database.ts'

/** A study given to a gatekeeper group. `sent`: to a destination; the push tells how far it is. */
export interface NominationRow {
  uuid: string
  account_uuid: string
  from_namespace: string
  study_uuid: string
  group_uuid: string
  group_name: string
  gate_namespace: string
  gate_uuid: string
  share_uuid: string
  state: 'nominated' | 'sent' | 'rejected'
  /** Of the push, once it is sent. */
  push_status: 'N' | 'I' | 'P' | 'S' | 'F' | null
  /** Where it was sent last, also of one that waits again since. */
  destination_uuid: string | null
  /** The order that the study leaves under. */
  order_uuid: string | null
  decided_by: string | null
  /** The first of two people, and what that person matched. */
  asked_by: string | null
  asked_version: number | null
  asked_print: Buffer | null
  /** Whether the nomination waits, and the sender corrected the exam since. */
  is_corrected: boolean
}

const digestOfEdits = (study: string) => sql`sha256(convert_to(${sql.ref(`${study}.edits`)}::text, 'UTF8'))`

/**
 * Whether the sender corrected the exam of nomination `m` since, or took a correction back, while the gatekeeper group has
 * not decided.
 */
export const isCorrectedSince = sql<boolean>`(
  m.state = 'nominated' and exists (
    select
    from study c
    where c.phi_namespace = m.from_namespace and c.uuid = m.study_uuid and ${digestOfEdits('c')} <> m.edits_digest
  )
)`

const columns = sql`
  m.uuid, m.account_uuid, m.from_namespace, m.study_uuid, m.group_uuid, m.group_name, m.gate_namespace, m.gate_uuid,
  m.share_uuid, m.state, m.destination_uuid, m.order_uuid, m.decided_by, m.asked_by, m.asked_version, m.asked_print,
  ${isCorrectedSince} as is_corrected,
  (select p.status from push p
    where p.phi_namespace = m.gate_namespace and p.study_uuid = m.gate_uuid
      and p.destination_uuid = m.destination_uuid) as push_status`

/** The last nomination of a record that was not cancelled, locked until the transaction ends. */
export async function lockNominationOf(tx: Tx, studyUuid: string): Promise<NominationRow | undefined> {
  const { rows } = await sql<NominationRow>`
    select ${columns}
    from nomination m
    where m.study_uuid = ${studyUuid} and m.state <> 'cancelled'
    order by m.submitted_at desc, m.uuid
    limit 1
    for update of m
  `.execute(tx)
  return rows[0]
}

/** The nomination by which a gatekeeper group got a record, locked until the transaction ends; `lockNominated` follows. */
export async function lockNominationAt(tx: Tx, gateUuid: string): Promise<NominationRow | undefined> {
  const { rows } = await sql<NominationRow>`
    select ${columns}
    from nomination m
    where m.gate_uuid = ${gateUuid} and m.state <> 'cancelled'
    for update of m
  `.execute(tx)
  return rows[0]
}

/**
 * Locks the records at both ends of nominations, in the order of their keys, as arriving images do: whoever changes one
 * tells the other. Acts that lock stored studies do so before, with these records (`share-locks.sql.ts`).
 * @param besides a place whose records of a study are locked with them
 */
export async function lockNominated(
  tx: Tx,
  nominations: readonly NominationRow[],
  besides?: { phi_namespace: string; study_uid: string },
): Promise<void> {
  const ends = nominations.flatMap((one) => [one.study_uuid, one.gate_uuid])
  await sql`
    select s.uuid
    from study s
    where s.uuid = any(${ends}::uuid[])
      or (s.phi_namespace = ${besides?.phi_namespace ?? null} and s.study_uid = ${besides?.study_uid ?? null})
    order by s.phi_namespace, s.uuid
    for update of s
  `.execute(tx)
}

/** Whether a record stands in a gatekeeper group by a nomination. */
export async function isNominated(db: Db, gateUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select from nomination m where m.gate_uuid = ${gateUuid} and m.state <> 'cancelled'
  `.execute(db)
  return rows.length > 0
}

/** Whether a gatekeeper group rejected the record that it got by a nomination. */
export async function isRejectedAt(db: Db, gateUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select from nomination m where m.gate_uuid = ${gateUuid} and m.state = 'rejected'
  `.execute(db)
  return rows.length > 0
}

/** The state of the last nomination of a record, or by which a gatekeeper group got it; undefined where none stands. */
export async function findNominationState(db: Db, studyUuid: string): Promise<NominationRow['state'] | undefined> {
  const { rows } = await sql<Pick<NominationRow, 'state'>>`
    select m.state
    from nomination m
    where (m.gate_uuid = ${studyUuid} or m.study_uuid = ${studyUuid}) and m.state <> 'cancelled'
    order by m.submitted_at desc, m.uuid
    limit 1
  `.execute(db)
  return rows[0]?.state
}

/** Whether a namespace has a record of a study that came neither by this share nor was deleted. */
export async function hasOtherRecord(
  db: Db,
  place: { namespace_uuid: string },
  studyUid: string,
  shareUuid: string | undefined,
): Promise<boolean> {
  const { rows } = await sql`
    select
    from study s
    where s.phi_namespace = ${place.namespace_uuid} and s.study_uid = ${studyUid} and s.deleted_at is null
      and exists (
        select
        from ${sourcesOf('s')} o
        left join share h on h.uuid = o.share_uuid
        where (h.uuid is null or h.state = 'delivered' and h.uuid is distinct from ${shareUuid ?? null}::uuid)
      )
  `.execute(db)
  return rows.length > 0
}

/**
 * Enters the nomination of a record that a share has just brought to a gatekeeper group, with the answers of its form on
 * both records.
 */
export async function insertNomination(
  tx: Tx,
  one: {
    uuid: string
    shareUuid: string
    group: { uuid: string; name: string }
    answers: Readonly<Record<string, string>>
    /** More than 0 comes first. */
    priority: number
    userUuid: string
  },
): Promise<void> {
  const answers = JSON.stringify(one.answers)
  await sql`
    with made as (
      insert into nomination (uuid, account_uuid, from_namespace, study_uuid, group_uuid, group_name, gate_namespace,
        gate_uuid, share_uuid, state, answers, submitted_by, edits_digest)
      select ${one.uuid}, s.account_uuid, h.from_namespace, h.study_uuid, ${one.group.uuid}, ${one.group.name},
        s.phi_namespace, s.uuid, h.uuid, 'nominated', ${answers}::jsonb, ${one.userUuid}, ${digestOfEdits('given')}
      from share h
      join study given on given.phi_namespace = h.from_namespace and given.uuid = h.study_uuid
      join lateral ${sourcesByShare} o on true
      join study s on s.phi_namespace = o.phi_namespace and s.uuid = o.study_uuid
      where h.uuid = ${one.shareUuid}
      limit 1
      returning study_uuid, gate_uuid
    )
    update study s
    set customfields = s.customfields || ${answers}::jsonb, nominated_at = now(),
      priority = case when s.uuid = made.gate_uuid then ${one.priority}::integer else s.priority end
    from made
    where s.uuid in (made.study_uuid, made.gate_uuid)
  `.execute(tx)
}

/** Ends nominations whose shares are over; those that were sent stay on record. Gives their uuids. */
export async function cancelNominations(tx: Tx, shareUuids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    update nomination
    set state = 'cancelled', decided_at = now()
    where share_uuid = any(${[...shareUuids]}::uuid[]) and state in ('nominated', 'rejected')
    returning uuid
  `.execute(tx)
  return rows.map((one) => one.uuid)
}

/**
 * The order that a record in a gatekeeper group was matched with by its nomination, wherever it is sent, and the accession
 * number that the order had by then; null: before this was kept.
 */
export async function findMatchedOrder(
  db: Db,
  gateUuid: string,
): Promise<{ order_uuid: string; order_accession: string | null } | undefined> {
  const { rows } = await sql<{ order_uuid: string; order_accession: string | null }>`
    select m.order_uuid, m.order_accession
    from nomination m
    where m.gate_uuid = ${gateUuid} and m.state <> 'cancelled' and m.order_uuid is not null
  `.execute(db)
  return rows[0]
}

/** Name and MRN of the order that a nomination was matched with; undefined where it was deleted. */
export async function findPatientOfOrder(
  db: Db,
  orderUuid: string,
): Promise<{ patient_name: string; patientid: string } | undefined> {
  const { rows } = await sql<{ patient_name: string; patientid: string }>`
    select o.patient_name, o.patientid
    from imaging_order o
    where o.uuid = ${orderUuid}
  `.execute(db)
  return rows[0]
}

/** Nominations that were sent to a destination from a record in a gatekeeper group. */
export async function listSentFrom(db: Db, push: { study_uuid: string; destination_uuid: string }): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select m.uuid
    from nomination m
    where m.gate_uuid = ${push.study_uuid} and m.state = 'sent' and m.destination_uuid = ${push.destination_uuid}
  `.execute(db)
  return rows.map((one) => one.uuid)
}

/**
 * Writes the state of a nomination into the gate fields of both records, where outside clients read it.
 * @returns the records that changed
 */
export async function projectNomination(tx: Tx, uuid: string): Promise<{ phi_namespace: string; uuid: string }[]> {
  const { rows } = await sql<{ phi_namespace: string; uuid: string }>`
    with told as (
      select m.study_uuid, m.gate_uuid, c.uuid::text as field, case when m.state <> 'cancelled' then v.value end as value
      from nomination m
      cross join lateral (values
        ('submission_status', '1'),
        ('selected_gatekeeper', json_build_object('uuid', m.group_uuid, 'name', m.group_name)::text),
        ('submitted_at', to_char(m.submitted_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')),
        ('source_study_id', m.study_uuid::text),
        ('is_process_form_rejected', case when m.state = 'rejected' then '1' end),
        ('process_rejection_reason', nullif(m.reason, '')),
        ('process_rejection_message', nullif(m.message, '')),
        ('nomination_push_status', (
          select p.status
          from push p
          where m.state = 'sent' and p.phi_namespace = m.gate_namespace and p.study_uuid = m.gate_uuid
            and p.destination_uuid = m.destination_uuid
        ))
      ) as v (key, value)
      join customfield c on c.account_uuid = m.account_uuid and c.gate_key = v.key and c.deleted_at is null
      where m.uuid = ${uuid}
    ), locked as (
      select s.phi_namespace, s.uuid
      from study s
      where s.uuid in (select study_uuid from told union select gate_uuid from told)
      order by s.phi_namespace, s.uuid
      for update of s
    ), after as (
      select s.phi_namespace, s.uuid, (s.customfields - (select array_agg(field) from told))
        || coalesce((select jsonb_object_agg(field, value) from told where value is not null), '{}') as fields
      from study s
      join locked on locked.uuid = s.uuid
    )
    update study s
    set customfields = after.fields, updated = now()
    from after
    where s.phi_namespace = after.phi_namespace and s.uuid = after.uuid and s.customfields is distinct from after.fields
    returning s.phi_namespace, s.uuid
  `.execute(tx)
  return rows
}

/**
 * Marks a nomination as sent to a destination; how far the push is, the push tells. A match that the study does not leave
 * by is forgotten, so that the two people on record are those who agreed.
 * @param to.isByTwo the one who sends confirms the match of another person
 */
export async function markSent(
  tx: Tx,
  uuid: string,
  to: { destinationUuid: string; userUuid: string; orderUuid: string | null; isByTwo: boolean },
): Promise<void> {
  await sql`
    update nomination m
    set state = 'sent', decided_at = now(), decided_by = ${to.userUuid}, destination_uuid = d.uuid,
      destination_name = d.name, order_uuid = ${to.orderUuid},
      order_accession = (select o.accession_number from imaging_order o where o.uuid = ${to.orderUuid}),
      asked_by = case when ${to.isByTwo} then m.asked_by end, asked_print = case when ${to.isByTwo} then m.asked_print end
    from destination d
    where m.uuid = ${uuid} and d.uuid = ${to.destinationUuid}
  `.execute(tx)
}

/**
 * Keeps the match of the first of two people. A nomination that was sent waits again as a whole, with the record of the
 * gatekeeper group, and the word on its push is over. The match is of the version of the record, which stays.
 */
export async function markAsked(
  tx: Tx,
  { uuid, gate_namespace, gate_uuid }: Pick<NominationRow, 'uuid' | 'gate_namespace' | 'gate_uuid'>,
  asked: { userUuid: string; version: number; print: Buffer; destinationUuid: string; orderUuid: string | null },
): Promise<void> {
  await sql`
    update nomination
    set asked_by = ${asked.userUuid}, asked_at = now(), asked_version = ${asked.version}, asked_print = ${asked.print},
      asked_destination = ${asked.destinationUuid}, order_uuid = ${asked.orderUuid}, state = 'nominated', decided_at = null,
      decided_by = null
    where uuid = ${uuid}
  `.execute(tx)
  await sql`
    update study
    set must_approve = true, updated = now()
    where phi_namespace = ${gate_namespace} and uuid = ${gate_uuid} and not must_approve
  `.execute(tx)
}

export async function markNominationRejected(
  tx: Tx,
  uuid: string,
  why: { reason: string; code: string; message: string; userUuid: string | null; isByDeletion: boolean },
): Promise<void> {
  await sql`
    update nomination
    set state = 'rejected', decided_at = now(), decided_by = ${why.userUuid}, reason = ${why.reason},
      rejection_code = ${why.code}, message = ${why.message}, rejected_by_deletion = ${why.isByDeletion}
    where uuid = ${uuid}
  `.execute(tx)
}

/**
 * Has a nomination wait again that was rejected with the deletion of its record; false for others, and where the sender
 * nominated the record to another group meanwhile: two groups would send it. The caller holds the sharing of the study.
 */
export async function markWaitingAgain(tx: Tx, uuid: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update nomination
    set state = 'nominated', decided_at = null, decided_by = null, reason = '', rejected_by_deletion = false
    where uuid = ${uuid} and state = 'rejected' and rejected_by_deletion
      and not exists (
        select
        from nomination o
        where o.study_uuid = nomination.study_uuid and o.uuid <> nomination.uuid and o.state in ('nominated', 'sent')
      )
  `.execute(tx)
  return numAffectedRows === 1n
}

/** The nominations that stand of a record, at either end, the oldest first, locked until the transaction ends. */
export async function lockNominationsOf(tx: Tx, studyUuid: string): Promise<NominationRow[]> {
  const { rows } = await sql<NominationRow>`
    select ${columns}
    from nomination m
    where (m.study_uuid = ${studyUuid} or m.gate_uuid = ${studyUuid}) and m.state <> 'cancelled'
    order by m.submitted_at, m.uuid
    for update of m
  `.execute(tx)
  return rows
}

/** The person who nominated, while the login is there. */
export async function findNominator(db: Db, uuid: string): Promise<{ uuid: string; email: string } | undefined> {
  const { rows } = await sql<{ uuid: string; email: string }>`
    select u.uuid, u.email
    from nomination m
    join app_user u on u.uuid = m.submitted_by and not u.disabled
    where m.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}
