import type { ReferencedImage } from '@hilum/dicom/dimse/commitment'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { PushRow } from './push.sql.ts'

export type CommitmentState = NonNullable<PushRow['commitment']>

/** One question to a destination, about some images of a push. */
export interface CommitmentRow {
  transaction_uid: string
  push_uuid: string
  images: ReferencedImage[]
  /** SOP Instance UIDs that the peer has said nothing of yet. */
  waiting: string[]
  committed: number
  reasons: number[]
  /** Whether the peer has taken the question. */
  is_asked: boolean
}

const columns = sql`
  c.transaction_uid, c.push_uuid, c.images, c.waiting, c.committed, c.reasons, c.asked_at is not null as is_asked`

/** Enters a question before it is sent, so that a report which overtakes the answer is known. */
export async function insertCommitment(
  db: Db,
  push: PushRow,
  one: { transactionUid: string; images: readonly ReferencedImage[] },
): Promise<void> {
  await sql`
    insert into push_commitment (transaction_uid, phi_namespace, study_uuid, destination_uuid, push_uuid, images, waiting)
    values (${one.transactionUid}, ${push.phi_namespace}, ${push.study_uuid}, ${push.destination_uuid}, ${push.uuid},
      ${JSON.stringify(one.images)}::jsonb, ${one.images.map((image) => image.sopInstance)}::text[])
  `.execute(db)
}

/** The questions of a push, in the order of their making. */
export async function listCommitments(db: Db, push: PushRow): Promise<CommitmentRow[]> {
  const { rows } = await sql<CommitmentRow>`
    select ${columns}
    from push_commitment c
    where c.phi_namespace = ${push.phi_namespace} and c.study_uuid = ${push.study_uuid}
      and c.destination_uuid = ${push.destination_uuid} and c.push_uuid = ${push.uuid}
    order by c.created, c.transaction_uid
  `.execute(db)
  return rows
}

export async function markCommitmentAsked(db: Db, transactionUid: string): Promise<void> {
  await sql`
    update push_commitment
    set asked_at = coalesce(asked_at, now())
    where transaction_uid = ${transactionUid}
  `.execute(db)
}

/** Whether the peer has spoken of every image of a question. */
export async function isCommitmentAnswered(db: Db, transactionUid: string): Promise<boolean> {
  const { rows } = await sql`
    select from push_commitment c where c.transaction_uid = ${transactionUid} and c.waiting <> '{}'
  `.execute(db)
  return rows.length === 0
}

/** A question that a peer reports on, with the push that it is about; locked until the transaction ends. */
export async function lockCommitment(
  tx: Tx,
  transactionUid: string,
  nodeTitle: string,
): Promise<(CommitmentRow & { aetitle: string; address: string }) | undefined> {
  const { rows } = await sql<CommitmentRow & { aetitle: string; address: string }>`
    select ${columns}, d.aetitle, d.address
    from push_commitment c
    join push p on p.phi_namespace = c.phi_namespace and p.study_uuid = c.study_uuid
      and p.destination_uuid = c.destination_uuid and p.uuid = c.push_uuid
    join destination d on d.uuid = c.destination_uuid
    join node n on n.uuid = d.node_uuid
    where c.transaction_uid = ${transactionUid} and n.aetitle = ${nodeTitle}
    for update of p, c
  `.execute(tx)
  return rows[0]
}

export async function noteReport(
  tx: Tx,
  transactionUid: string,
  to: { waiting: readonly string[]; committed: number; reasons: readonly number[] },
): Promise<void> {
  await sql`
    update push_commitment
    set waiting = ${[...to.waiting]}::text[], committed = ${to.committed}, reasons = ${[...to.reasons]}::integer[],
      asked_at = coalesce(asked_at, now())
    where transaction_uid = ${transactionUid}
  `.execute(tx)
}

/**
 * Says what a push knows of its commitment. A push whose images the peer does not keep has failed, though it took them.
 * False where the push is another one by now, or knows it already.
 */
export async function noteCommitment(
  tx: Tx,
  pushUuid: string,
  to: { commitment: CommitmentState; message: string },
): Promise<boolean> {
  const { rows } = await sql`
    update push
    set commitment = ${to.commitment}, commitment_message = ${to.message}, updated = now(),
      status = case when ${to.commitment} = 'failed' then 'F' else status end
    where uuid = ${pushUuid} and status in ('S', 'F')
      and (commitment is distinct from ${to.commitment} or commitment_message <> ${to.message})
    returning 1
  `.execute(tx)
  return rows.length > 0
}

/** Where a peer that calls a node of our own may report: on what it was asked in the last weeks, also once more. */
interface AwaitedReport {
  namespaceUuid: string
  accountUuid: string
  /** AE title and address of the destination, as they are stored. */
  aetitle: string
  address: string
}

export async function listAwaitedReports(db: Db, nodeTitle: string): Promise<AwaitedReport[]> {
  const { rows } = await sql<AwaitedReport>`
    select distinct on (d.uuid) c.phi_namespace as "namespaceUuid", d.account_uuid as "accountUuid", d.aetitle, d.address
    from node n
    join destination d on d.node_uuid = n.uuid
    join push_commitment c on c.destination_uuid = d.uuid and c.created > now() - interval '30 days'
    where n.aetitle = ${nodeTitle}
    order by d.uuid, c.created desc, c.transaction_uid
  `.execute(db)
  return rows
}
