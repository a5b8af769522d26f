import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

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
export async function takeTurnToDepart(
  tx: Tx,
  exam: { account_uuid: string; study_uid: string },
  destinationUuid: string,
): Promise<void> {
  const key = `departing ${exam.account_uuid} ${exam.study_uid} ${destinationUuid}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

/** Whether a push of an exam, from whichever record in the organisation, sends it to a destination under another patient now. */
export async function isDepartingAs(
  tx: Tx,
  exam: { account_uuid: string; study_uid: string },
  destinationUuid: string,
  sentAs: Buffer,
): Promise<boolean> {
  const { rows } = await sql`
    select
    from study s
    join push p on p.phi_namespace = s.phi_namespace and p.study_uuid = s.uuid
    where s.study_uid = ${exam.study_uid} and s.account_uuid = ${exam.account_uuid}
      and p.destination_uuid = ${destinationUuid} and p.status = 'I' and p.sent_as <> ${sentAs}
    limit 1
  `.execute(tx)
  return rows.length > 0
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
const departuresOf = (exam: { account_uuid: string; study_uid: string }) => sql`
  from study s
  join departure o on o.phi_namespace = s.phi_namespace and o.study_uuid = s.uuid
  where s.study_uid = ${exam.study_uid} and s.account_uuid = ${exam.account_uuid}`

/**
 * Digest of the patient and accession number under which images of an exam lie at a destination, as far as anybody knows:
 * those that left last, from whichever record of the exam in the organisation.
 */
export async function findFormerAs(
  db: Db,
  exam: { account_uuid: string; study_uid: string },
  destinationUuid: string,
): Promise<Buffer | null> {
  const { rows } = await sql<{ sent_as: Buffer }>`
    select o.sent_as
    ${departuresOf(exam)} and o.destination_uuid = ${destinationUuid}
    order by o.updated desc, o.study_uuid
    limit 1
  `.execute(db)
  return rows[0]?.sent_as ?? null
}

/** Whether images of an exam have left for any destination as this patient, under this accession number. */
export async function hasLeftAs(
  db: Db,
  exam: { account_uuid: string; study_uid: string },
  sentAs: Buffer,
): Promise<boolean> {
  const { rows } = await sql`
    select
    ${departuresOf(exam)} and o.sent_as = ${sentAs}
    limit 1
  `.execute(db)
  return rows.length > 0
}
