import { sql } from 'kysely'
import { countsOfRecord } from '../../access/record-sources.sql.ts'
import type { Db } from '../../db/database.ts'
import type { ArrivingIdentity } from '../storage/ingest.sql.ts'
import type { FoundOrder } from '../../outbound/pacs/find-worklist.ts'
import type { FoundStudy, StudyCriteria } from '../../outbound/pacs/find-studies.ts'

interface SearchRow {
  uuid: string
  account_uuid: string
  destination_uuid: string
  user_uuid: string
  phi_namespace: string
  /** Whether the worklist is asked, and not for studies. */
  worklist: boolean
  criteria: StudyCriteria
  state: 'waiting' | 'done' | 'failed'
  message: string
  results: FoundStudy[]
  orders: FoundOrder[]
  is_cut: boolean
  created: Date
}

export async function insertSearch(
  db: Db,
  one: Omit<SearchRow, 'state' | 'message' | 'results' | 'orders' | 'is_cut' | 'created'>,
): Promise<void> {
  await sql`
    insert into destination_search (uuid, account_uuid, destination_uuid, user_uuid, phi_namespace, worklist, criteria)
    values (${one.uuid}, ${one.account_uuid}, ${one.destination_uuid}, ${one.user_uuid}, ${one.phi_namespace},
      ${one.worklist}, ${JSON.stringify(one.criteria)}::jsonb)
  `.execute(db)
}

export async function findSearch(db: Db, uuid: string): Promise<SearchRow | undefined> {
  const { rows } = await sql<SearchRow>`
    select s.uuid, s.account_uuid, s.destination_uuid, s.user_uuid, s.phi_namespace, s.worklist, s.criteria, s.state,
      s.message, s.results, s.orders, s.is_cut, s.created
    from destination_search s
    where s.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

type Found = { state: 'done'; results?: readonly FoundStudy[]; orders?: readonly FoundOrder[]; isCut: boolean }

/** Ends a search that waits; one that ended stays as it is. */
export async function endSearch(
  db: Db,
  uuid: string,
  end: Found | { state: 'failed'; message: string },
): Promise<void> {
  const { results = [], orders = [] } = end.state === 'done' ? end : {}
  await sql`
    update destination_search
    set state = ${end.state}, message = ${end.state === 'failed' ? end.message : ''},
      results = ${JSON.stringify(results)}::jsonb, orders = ${JSON.stringify(orders)}::jsonb,
      is_cut = ${end.state === 'done' && end.isCut}
    where uuid = ${uuid} and state = 'waiting'
  `.execute(db)
}

/** Searches older than a day, and what is known of the studies that they fetched: names of patients are not kept for nothing. */
export async function deleteOldSearches(db: Db, before: Date): Promise<void> {
  await sql`
    with gone as (
      delete from destination_search
      where created < ${before}
      returning uuid
    )
    delete from retrieval r
    where r.state not in ('waiting', 'running')
      and exists (select from retrieval_asker a join gone on gone.uuid = a.search_uuid where a.retrieval_uuid = r.uuid)
      and not exists (
        select
        from retrieval_asker a
        join destination_search s on s.uuid = a.search_uuid
        where a.retrieval_uuid = r.uuid and s.created >= ${before}
      )
  `.execute(db)
}

/** Studies of these UIDs in a namespace that are there and may be seen, with their images. */
export async function listStudiesHere(
  db: Db,
  namespaceUuid: string,
  studyUids: readonly string[],
  seesWaiting: boolean,
): Promise<{ uuid: string; study_uid: string; image_count: number }[]> {
  const { rows } = await sql<{ uuid: string; study_uid: string; image_count: number }>`
    select s.uuid, s.study_uid, images.image_count::integer as image_count
    from study s
    cross join lateral ${countsOfRecord} images
    where s.phi_namespace = ${namespaceUuid}
      and s.study_uid = any(${studyUids as string[]})
      and s.deleted_at is null
      and s.arrival <> 'announced'
      and (not s.must_approve or ${seesWaiting})
  `.execute(db)
  return rows
}

/** The patients whom a destination listed for the exam of a retrieval, to those who asked for it. */
export async function listPatientsAsked(db: Db, retrievalUuid: string): Promise<ArrivingIdentity[]> {
  const { rows } = await sql<{ found: ArrivingIdentity }>`
    select distinct jsonb_build_object('patient_name', f.found ->> 'patient_name', 'patientid', f.found ->> 'patientid',
      'issuer', f.found ->> 'issuer', 'patient_birth_date', f.found ->> 'patient_birth_date',
      'patient_sex', f.found ->> 'patient_sex') as found
    from retrieval r
    join retrieval_asker a on a.retrieval_uuid = r.uuid
    join destination_search s on s.uuid = a.search_uuid
    cross join lateral jsonb_array_elements(s.results) as f (found)
    where r.uuid = ${retrievalUuid} and f.found ->> 'study_uid' = r.study_uid
  `.execute(db)
  return rows.map((one) => one.found)
}
