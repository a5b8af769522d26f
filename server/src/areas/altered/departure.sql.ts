import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

type Exam = { account_uuid: string; study_uid: string }

/** Notes under which patient and accession number images of a record leave for a destination, by whichever door. */
export async function noteDeparture(
  db: Db,
  record: { phi_namespace: string; uuid: string },
  destinationUuid: string,
  sentAs: Buffer,
): Promise<void> {
  await sql`
    insert into departure (phi_namespace, study_uuid, destination_uuid, sent_as)
    values (${record.phi_namespace}, ${record.uuid}, ${destinationUuid}, ${sentAs})
    on conflict (phi_namespace, study_uuid, destination_uuid) do update
    set sent_as = excluded.sent_as, updated = now()
  `.execute(db)
}

/** Lets only one transaction at a time decide under whom images of an exam leave for a destination. Ends with the transaction. */
export async function takeTurnToDepart(tx: Tx, exam: Exam, destinationUuid: string): Promise<void> {
  const key = `departing ${exam.account_uuid} ${exam.study_uid} ${destinationUuid}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

/** Notes the same of a push of which images were taken. */
export async function notePushDeparture(tx: Tx, pushUuid: string): Promise<void> {
  await sql`
    insert into departure (phi_namespace, study_uuid, destination_uuid, sent_as)
    select p.phi_namespace, p.study_uuid, p.destination_uuid, p.sent_as
    from push p
    where p.uuid = ${pushUuid} and p.sent_as is not null
    on conflict (phi_namespace, study_uuid, destination_uuid) do update
    set sent_as = excluded.sent_as, updated = now()
  `.execute(tx)
}

/** Departures of an exam, from whichever record in the organisation. */
const departuresOf = (exam: Exam) => sql`
  from study s
  join departure o on o.phi_namespace = s.phi_namespace and o.study_uuid = s.uuid
  where s.study_uid = ${exam.study_uid} and s.account_uuid = ${exam.account_uuid}`

/** Images of an exam that left or leave for a destination, from whichever record in the organisation; digests of patient and accession number. */
export interface KnownDepartures {
  /** The last departure, as far as anybody knows which images lie there; `at` differs each time. */
  former: { sentAs: Buffer; at: string } | null
  /** Images on their way now, by whichever door. */
  underWay: Buffer[]
}

export async function findDepartures(db: Db, exam: Exam, destinationUuid: string): Promise<KnownDepartures> {
  const { rows } = await sql<{ former_as: Buffer | null; former_at: string | null; under_way: Buffer[] }>`
    select former.sent_as as former_as, former.at as former_at, array(
      select w.sent_as
      from departure_under_way w
      where w.account_uuid = ${exam.account_uuid} and w.study_uid = ${exam.study_uid}
        and w.destination_uuid = ${destinationUuid} and w.until > clock_timestamp()
      union all
      select p.sent_as
      from study s
      join push p on p.phi_namespace = s.phi_namespace and p.study_uuid = s.uuid
      where s.study_uid = ${exam.study_uid} and s.account_uuid = ${exam.account_uuid}
        and p.destination_uuid = ${destinationUuid} and p.status = 'I' and p.sent_as is not null
    ) as under_way
    from (select) one
    left join lateral (
      select o.sent_as, o.updated::text as at
      ${departuresOf(exam)} and o.destination_uuid = ${destinationUuid}
      order by o.updated desc, o.study_uuid
      limit 1
    ) former on true
  `.execute(db)
  const { former_as: sentAs = null, former_at: at = null, under_way: underWay = [] } = rows[0] ?? {}
  return { former: sentAs && at !== null ? { sentAs, at } : null, underWay }
}

/** Whether images of an exam have left for any destination as this patient, under this accession number. */
export async function hasLeftAs(db: Db, exam: Exam, sentAs: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select
    ${departuresOf(exam)} and o.sent_as = ${sentAs}
    limit 1
  `.execute(db)
  return rows.length > 0
}

/** Enters that images of an exam leave now; departures of processes that have died are cleared away. */
export async function enterUnderWay(
  tx: Tx,
  one: { uuid: string; exam: Exam; destinationUuid: string; sentAs: Buffer; seconds: number },
): Promise<void> {
  await sql`
    with dead as (
      select uuid
      from departure_under_way
      where until < clock_timestamp()
      for update skip locked
    ), cleared as (
      delete from departure_under_way w using dead where w.uuid = dead.uuid
    )
    insert into departure_under_way (uuid, account_uuid, study_uid, destination_uuid, sent_as, until)
    values (${one.uuid}, ${one.exam.account_uuid}, ${one.exam.study_uid}, ${one.destinationUuid}, ${one.sentAs},
      clock_timestamp() + make_interval(secs => ${one.seconds}))
  `.execute(tx)
}

/** Puts off the end of departures, but for those that are over by now. */
export async function putOffEnd(db: Db, uuids: readonly string[], seconds: number): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    update departure_under_way
    set until = clock_timestamp() + make_interval(secs => ${seconds})
    where uuid = any(${uuids}) and until > clock_timestamp()
    returning uuid
  `.execute(db)
  return rows.map((row) => row.uuid)
}

export async function endUnderWay(db: Db, uuids: readonly string[]): Promise<void> {
  await sql`delete from departure_under_way where uuid = any(${uuids})`.execute(db)
}
