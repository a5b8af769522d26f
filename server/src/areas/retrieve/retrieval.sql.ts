import type { RetrievalState } from '@hilum/contract/calls/retrieve'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

export interface RetrievalRow {
  uuid: string
  account_uuid: string
  /** Null once the node is deleted. */
  node_uuid: string | null
  destination_uuid: string
  /** Search and person that asked first; `retrieval_asker` has all of them. */
  search_uuid: string
  user_uuid: string
  phi_namespace: string
  study_uid: string
  state: RetrievalState
  message: string
  message_id: number | null
  total: number | null
  completed: number
}

const columns = sql`
  r.uuid, r.account_uuid, r.node_uuid, r.destination_uuid, r.search_uuid, r.user_uuid, r.phi_namespace, r.study_uid,
  r.state, r.message, r.message_id, r.total, r.completed`

/**
 * Enters a retrieval and who asks for it. False while the study is on its way from there already: the person then asks for
 * that one, too.
 */
export async function insertRetrieval(
  tx: Tx,
  one: Omit<RetrievalRow, 'state' | 'message' | 'message_id' | 'completed'>,
): Promise<boolean> {
  const { rows } = await sql<{ uuid: string }>`
    insert into retrieval (uuid, account_uuid, node_uuid, destination_uuid, search_uuid, user_uuid, phi_namespace, study_uid,
      total)
    values (${one.uuid}, ${one.account_uuid}, ${one.node_uuid}, ${one.destination_uuid}, ${one.search_uuid},
      ${one.user_uuid}, ${one.phi_namespace}, ${one.study_uid}, ${one.total})
    on conflict (phi_namespace, destination_uuid, study_uid) where state in ('waiting', 'running') do update
    set updated = now()
    returning uuid
  `.execute(tx)
  const [entered] = rows
  if (!entered) return false
  await sql`
    insert into retrieval_asker (retrieval_uuid, search_uuid, user_uuid)
    values (${entered.uuid}, ${one.search_uuid}, ${one.user_uuid})
    on conflict do nothing
  `.execute(tx)
  return entered.uuid === one.uuid
}

/** The people who asked for a retrieval and did not withdraw, the first one first. */
export async function listAskers(db: Db, uuid: string): Promise<string[]> {
  const { rows } = await sql<{ user_uuid: string }>`
    select a.user_uuid
    from retrieval_asker a
    where a.retrieval_uuid = ${uuid}
    group by a.user_uuid
    order by min(a.asked), a.user_uuid
  `.execute(db)
  return rows.map((row) => row.user_uuid)
}

/** Takes a person out of those who ask for a retrieval, and gives the first of the others; undefined, and nothing changed, where there is none. */
export async function withdrawAsker(tx: Tx, uuid: string, userUuid: string): Promise<string | undefined> {
  // one withdrawal after the other, so that the last one is known as such
  await sql`select from retrieval where uuid = ${uuid} for update`.execute(tx)
  const { rows } = await sql<{ user_uuid: string }>`
    with next as (
      select a.user_uuid
      from retrieval_asker a
      where a.retrieval_uuid = ${uuid} and a.user_uuid <> ${userUuid}
      group by a.user_uuid
      order by min(a.asked), a.user_uuid
      limit 1
    ), withdrawn as (
      delete from retrieval_asker
      where retrieval_uuid = ${uuid} and user_uuid = ${userUuid} and exists (select from next)
      returning user_uuid
    )
    select user_uuid
    from next
    where exists (select from withdrawn)
  `.execute(tx)
  return rows[0]?.user_uuid
}

export async function findRetrieval(db: Db, uuid: string): Promise<RetrievalRow | undefined> {
  const { rows } = await sql<RetrievalRow>`
    select ${columns}
    from retrieval r
    where r.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

/**
 * The last retrieval of each study that a search asked for, and of those that are on their way from its destination to its
 * place, whoever asked for them. Uses retrieval_asker_of_search and retrieval_once.
 */
export async function listRetrievals(db: Db, searchUuid: string): Promise<RetrievalRow[]> {
  const { rows } = await sql<RetrievalRow>`
    select distinct on (r.study_uid) ${columns}
    from (
      select r.*
      from retrieval_asker a
      join destination_search s on s.uuid = a.search_uuid
      join retrieval r
        on r.uuid = a.retrieval_uuid and r.phi_namespace = s.phi_namespace and r.destination_uuid = s.destination_uuid
      where a.search_uuid = ${searchUuid}
      union all
      select r.*
      from destination_search s
      join retrieval r on r.phi_namespace = s.phi_namespace and r.destination_uuid = s.destination_uuid
      where s.uuid = ${searchUuid} and r.state in ('waiting', 'running')
    ) r
    order by r.study_uid, r.created desc, r.uuid
  `.execute(db)
  return rows
}

/** Begins a retrieval under a message id that no other of its node has at the moment; false when it is over. */
export async function beginRetrieval(db: Db, uuid: string, messageId: number): Promise<boolean> {
  const { rows } = await sql`
    update retrieval
    set state = 'running', message = '', message_id = ${messageId}, completed = 0, failed = 0, updated = now()
    where uuid = ${uuid} and state in ('waiting', 'running')
    returning 1
  `.execute(db)
  return rows.length > 0
}

export async function noteProgress(
  db: Db,
  uuid: string,
  { completed, failed, total }: { completed: number; failed: number; total: number | undefined },
): Promise<void> {
  await sql`
    update retrieval
    set completed = greatest(completed, ${completed}), failed = ${failed}, total = coalesce(${total ?? null}::integer, total),
      updated = now()
    where uuid = ${uuid} and state = 'running'
  `.execute(db)
}

/** Notes why a run brought not all; what follows is the queue's to say. */
export async function waitAnew(db: Db, uuid: string, message: string): Promise<void> {
  await sql`
    update retrieval
    set state = 'waiting', message = ${message}, updated = now()
    where uuid = ${uuid} and state = 'running'
  `.execute(db)
}

/** Whether images of its study have come since a retrieval was asked for, by whichever of its tries. */
export async function hasBrought(db: Db, uuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from retrieval r
    join stored_study t on t.storage_namespace = r.phi_namespace and t.study_uid = r.study_uid
    join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key
    where r.uuid = ${uuid} and i.arrived >= r.created
    limit 1
  `.execute(db)
  return rows.length > 0
}

/** Holds the record of a retrieved exam as one of several patients, whatever was said of its images before. */
export async function holdAsMixed(tx: Tx, record: { phi_namespace: string; uuid: string }): Promise<void> {
  await sql`
    update study
    set mixed_patients = true, mixed_overrule = null, row_version = row_version + 1
    where phi_namespace = ${record.phi_namespace} and uuid = ${record.uuid}
  `.execute(tx)
}

export async function endRetrieval(
  db: Db,
  uuid: string,
  state: 'done' | 'partial' | 'failed',
  message: string,
): Promise<void> {
  await sql`
    update retrieval
    set state = ${state}, message = ${message}, updated = now()
    where uuid = ${uuid} and state in ('waiting', 'running')
  `.execute(db)
}

/** Where the objects of a retrieval belong. */
export interface ExpectedStudy {
  namespaceUuid: string
  accountUuid: string
  studyUid: string
  messageId: number | null
  /** AE title and address of the destination, as they are kept. */
  aetitle: string
  address: string
}

/** The retrievals that run by a node of our own, found by its AE title; undefined when there is no such node. */
export async function listExpected(db: Db, calledTitle: string): Promise<ExpectedStudy[] | undefined> {
  const { rows } = await sql<{ [Key in keyof ExpectedStudy]: ExpectedStudy[Key] | null }>`
    /* prepared */
    select r.phi_namespace as "namespaceUuid", r.account_uuid as "accountUuid", r.study_uid as "studyUid",
      r.message_id as "messageId", d.aetitle, d.address
    from node n
    left join retrieval r on r.node_uuid = n.uuid and r.state = 'running'
    left join destination d on d.uuid = r.destination_uuid
    where n.aetitle = ${calledTitle}
    order by r.created, r.uuid
  `.execute(db)
  if (rows.length === 0) return undefined
  // a node without retrievals is a row without any of their columns
  return rows.filter((row) => row.studyUid !== null) as ExpectedStudy[]
}
