import { sql } from 'kysely'
import type { pushStatus } from '@hilum/contract/entities/study'
import type * as z from 'zod/mini'
import { isOfFirstSource, storedOfRecord } from '../../access/record-sources.sql.ts'
import type { Db, Tx } from '../../db/database.ts'

/** N waits, I runs, P waits for another try with some images sent, S and F are over. */
type PushStatus = z.infer<typeof pushStatus>['status']

export interface PushRow {
  uuid: string
  phi_namespace: string
  study_uuid: string
  account_uuid: string
  destination_uuid: string
  destination_name: string
  user_uuid: string | null
  status: PushStatus
  /** Versions of the images that the peer has taken. */
  sent: string[]
  /** How many of these earlier pushes sent, of which this one is for late images. */
  sent_before: number
  /** Whether an image of this push was begun to be sent, and may have arrived though nobody heard of it. */
  may_have_left: boolean
  /** Digest of the patient and accession number that those left under, or for whom a person gave a reason; null: neither, or before this was kept. */
  sent_as: Buffer | null
  /** Why the exam goes although it was held with a question; else empty. */
  mrn_reason: string
  /** Digests of the questions that it was held with, for a reason to answer. */
  asked: string[]
  /** Digests of the questions that its reasons answered. */
  answered: string[]
  /** The content of the study when it was asked for, or at the last try; null: before this was kept. */
  content: string | null
  /** The state of storage commitment; null: not asked for. */
  commitment: 'asked' | 'committed' | 'failed' | 'refused' | 'unanswered' | null
}

const columns = sql`
  p.uuid, p.phi_namespace, p.study_uuid, p.account_uuid, p.destination_uuid, p.destination_name, p.user_uuid, p.status, p.sent,
  p.sent_before, p.may_have_left, p.sent_as, p.mrn_reason, p.asked, p.answered, p.content, p.commitment`

/**
 * Enters a push; one that was over makes room, with what its destination was asked to commit itself to. What was answered
 * stays so. False while one is on its way, and where another one than `answersTo` was held since.
 * @param more.isLate only the images that a push before, which succeeded, did not send
 * @param more.answersTo the held push whose questions the reason answers
 */
export async function insertPush(
  tx: Tx,
  one: Omit<PushRow, 'status' | 'sent' | 'sent_before' | 'may_have_left' | 'asked' | 'commitment'>,
  { isLate, answersTo = null }: { isLate: boolean; answersTo?: string | null },
): Promise<boolean> {
  // of a push that kept no patient nobody knows under whom it sent: all go anew, under one
  const staysSent = sql`${isLate} and push.status = 'S' and push.sent_as is not null`
  const { rows } = await sql`
    with over as (
      delete from push_commitment c
      using push p
      where p.phi_namespace = ${one.phi_namespace} and p.study_uuid = ${one.study_uuid}
        and p.destination_uuid = ${one.destination_uuid} and p.status in ('S', 'F')
        and c.phi_namespace = p.phi_namespace and c.study_uuid = p.study_uuid and c.destination_uuid = p.destination_uuid
    )
    insert into push (phi_namespace, study_uuid, destination_uuid, uuid, account_uuid, destination_name, user_uuid, mrn_reason, answered, sent_as, content, status)
    values (${one.phi_namespace}, ${one.study_uuid}, ${one.destination_uuid}, ${one.uuid}, ${one.account_uuid},
      ${one.destination_name}, ${one.user_uuid}, ${one.mrn_reason}, ${one.answered}, ${one.sent_as}, ${one.content}, 'N')
    on conflict (phi_namespace, study_uuid, destination_uuid) do update
    set uuid = excluded.uuid, destination_name = excluded.destination_name, user_uuid = excluded.user_uuid, status = 'N',
      message = '', commitment = null, commitment_message = '', total = null, content = excluded.content,
      sent = case when ${staysSent} then push.sent else '{}' end,
      sent_before = case when ${staysSent} then cardinality(push.sent) else 0 end, may_have_left = false,
      sent_as = case when ${staysSent} then push.sent_as else excluded.sent_as end,
      wants_reason = false,
      mrn_reason = case when ${staysSent} and excluded.mrn_reason = '' then push.mrn_reason else excluded.mrn_reason end,
      asked = '{}',
      answered = array(
        select distinct one
        from unnest(push.answered || excluded.answered
          || case when push.uuid = ${answersTo}::uuid then push.asked else '{}' end) as one
        order by one
      ),
      created = now(), updated = now()
    where push.status in ('S', 'F') and (${answersTo}::uuid is null or push.uuid = ${answersTo}::uuid)
    returning 1
  `.execute(tx)
  return rows.length > 0
}

/** The push of a study to a destination that was held with a question which no reason has answered; undefined for none. */
export async function findHeldPush(
  db: Db,
  study: { phi_namespace: string; uuid: string },
  destinationUuid: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    select p.uuid
    from push p
    where p.phi_namespace = ${study.phi_namespace} and p.study_uuid = ${study.uuid}
      and p.destination_uuid = ${destinationUuid} and p.status = 'F' and p.wants_reason
  `.execute(db)
  return rows[0]?.uuid
}

/** Digests of the questions that people answered when they sent a study to a destination. */
export async function listAnswered(
  db: Db,
  study: { phi_namespace: string; uuid: string },
  destinationUuid: string,
): Promise<string[]> {
  const { rows } = await sql<{ answered: string[] }>`
    select p.answered
    from push p
    where p.phi_namespace = ${study.phi_namespace} and p.study_uuid = ${study.uuid}
      and p.destination_uuid = ${destinationUuid}
  `.execute(db)
  return rows[0]?.answered ?? []
}

/** Whether the last push of a study to a destination has failed. */
export async function hasPushFailed(
  db: Db,
  study: { phi_namespace: string; uuid: string },
  destinationUuid: string,
): Promise<boolean> {
  const { rows } = await sql`
    select
    from push p
    where p.phi_namespace = ${study.phi_namespace} and p.study_uuid = ${study.uuid}
      and p.destination_uuid = ${destinationUuid} and p.status = 'F'
  `.execute(db)
  return rows.length > 0
}

/** Whether a study is on its way to a destination. */
export async function isPushUnderWay(
  db: Db,
  study: { phi_namespace: string; uuid: string },
  destinationUuid: string,
): Promise<boolean> {
  const { rows } = await sql`
    select
    from push p
    where p.phi_namespace = ${study.phi_namespace} and p.study_uuid = ${study.uuid}
      and p.destination_uuid = ${destinationUuid} and p.status not in ('S', 'F')
  `.execute(db)
  return rows.length > 0
}

/** The asker of a push, as the audit knows. */
interface PushAsker {
  /** Of the person, also where a program with a key asked. */
  uuid: string
  name: string
  kind: string
  /** The supporter who was signed in as the person; empty otherwise. */
  proxy: string
}

/** Finds who asked for a push; undefined where a rule did. Uses audit_of_object. */
export async function findAsker(db: Db, push: PushRow): Promise<PushAsker | undefined> {
  const { rows } = await sql<PushAsker>`
    select a.actor as uuid, a.actor_name as name, coalesce(a.actor_kind, '') as kind, a.proxy
    from audit a
    where a.object_uuid = ${push.study_uuid} and a.action = 'PUSH' and a.detail ->> 'push' = ${push.uuid}::text
      and a.actor is not null
    order by a.at desc, a.id desc
    limit 1
  `.execute(db)
  return rows[0]
}

export async function findPush(db: Db, uuid: string): Promise<PushRow | undefined> {
  const { rows } = await sql<PushRow>`
    select ${columns}
    from push p
    where p.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

/** Says how far a push is; images that were taken come to those of before. */
export async function notePush(
  db: Db,
  uuid: string,
  to: {
    status: PushStatus
    message?: string
    total?: number
    taken?: readonly string[]
    /** Questions that only the reason of a person answers. */
    asked?: readonly string[]
  },
): Promise<void> {
  await sql`
    update push
    set status = ${to.status}, message = coalesce(${to.message ?? null}::text, message),
      total = coalesce(${to.total ?? null}::integer, total), sent = sent || ${[...(to.taken ?? [])]}::uuid[],
      wants_reason = wants_reason or ${to.asked !== undefined},
      asked = coalesce(${to.asked ? [...to.asked] : null}::text[], asked), updated = now()
    where uuid = ${uuid}
  `.execute(db)
}

/** Notes that images of a push may have arrived from now on, whatever is heard of them. */
export async function noteOutgoing(db: Db, uuid: string): Promise<void> {
  await sql`
    update push
    set may_have_left = true
    where uuid = ${uuid} and not may_have_left
  `.execute(db)
}

/** The content of record `s`: each stored study that it shows, and the version of that. */
const contentOfRecord = sql`(
  select coalesce(string_agg(h.key || '.' || h.content_version, '_' order by h.place), '')
  from ${storedOfRecord} h
)`

/** The content that a study has now. */
export async function findContent(db: Db, phiNamespace: string, studyUuid: string): Promise<string> {
  const { rows } = await sql<{ content: string }>`
    select ${contentOfRecord} as content
    from study s
    where s.phi_namespace = ${phiNamespace} and s.uuid = ${studyUuid}
  `.execute(db)
  return rows[0]?.content ?? ''
}

/** Keeps with a push the content that its try sends; images of another content came later. */
export async function pinContent(db: Db, uuid: string, content: string): Promise<void> {
  await sql`
    update push
    set content = ${content}
    where uuid = ${uuid}
  `.execute(db)
}

/** Keeps with a push the patient and accession number that its images leave under. */
export async function pinPatient(db: Db, uuid: string, sentAs: Buffer): Promise<void> {
  await sql`
    update push
    set sent_as = ${sentAs}
    where uuid = ${uuid}
  `.execute(db)
}

/**
 * How many images of record `s` a push `p` that succeeded did not send, since they came or were replaced later. They are
 * counted only where the content is another one than was pushed.
 */
export const lateImagesOfPush = sql`(
  case when p.status <> 'S' or p.content = ${contentOfRecord} then 0 else (
    select count(*)::integer
    from ${storedOfRecord} h
    join instance i on i.storage_namespace = h.storage_namespace and i.study_key = h.key
    where i.is_primary
      and ${isOfFirstSource}
      and not exists (
        select
        from unnest(p.sent) as sent (version)
        where sent.version = i.version
      )
  ) end
)`
