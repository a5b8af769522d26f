import { type RawBuilder, sql } from 'kysely'
import { hasLiveSource } from '../../access/record-sources.sql.ts'
import type { Db } from '../../db/database.ts'
import type { RuledStudy } from './evaluate-rule.ts'

export interface RuledRecord extends RuledStudy {
  uuid: string
  account_uuid: string
  phi_namespace: string
  must_approve: boolean
  deleted: boolean
  arrival: 'announced' | 'receiving' | 'complete' | 'incomplete'
}

const columns = sql`
  s.uuid, s.account_uuid, s.phi_namespace, s.must_approve,
  s.deleted_at is not null or not ${hasLiveSource('s')} as deleted, s.arrival,
  s.modalities, s.referring_physician, s.source_ae_title, s.destination_ae_title, s.patientid, s.study_date,
  s.study_description, s.status, s.patient_age, s.patient_birth_date, s.accession_number, s.created, s.customfields`

/** A record with what rules ask about, corrections included. */
export async function findRuledRecord(db: Db, uuid: string): Promise<RuledRecord | undefined> {
  const { rows } = await sql<RuledRecord>`
    select ${columns} from study s where s.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

interface TestedRow extends RuledRecord {
  patient_name: string
  place_name: string
  shown_created: string
}

/** Namespaces: of `settled` studies that wait for no approval, of `waiting` those that do. */
interface LookedAt {
  settled: readonly string[]
  waiting: readonly string[]
}

/** Studies of these places that rules could look at, the latest first; of the last days, or as many as `limit`. */
export async function listLatestRecords(
  db: Db,
  places: LookedAt,
  { days, limit }: { days: number | undefined; limit: number },
): Promise<TestedRow[]> {
  const { rows } = await sql<TestedRow>`
    select ${columns}, s.patient_name, n.name as place_name,
      to_char(s.created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as shown_created
    from study s
    join namespace n on n.uuid = s.phi_namespace
    where ${isLookedAt(places)} and ${isWithinDays(days)}
    order by s.created desc, s.uuid desc
    limit ${limit}
  `.execute(db)
  return rows
}

/** How many studies of these places came in the last days; of all time without days, up to `limit`. */
export async function countRecords(
  db: Db,
  places: LookedAt,
  { days, limit }: { days: number | undefined; limit: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from (
      select from study s where ${isLookedAt(places)} and ${isWithinDays(days)} limit ${limit}
    ) s
  `.execute(db)
  return rows[0]?.count ?? 0
}

function isLookedAt({ settled, waiting }: LookedAt): RawBuilder<unknown> {
  return sql`s.phi_namespace = any(${[...settled, ...waiting]}) and s.deleted_at is null
    and s.phi_namespace = any(case when s.must_approve then ${[...waiting]}::uuid[] else ${[...settled]}::uuid[] end)
    and s.arrival <> 'announced' and ${hasLiveSource('s')}`
}

function isWithinDays(days: number | undefined): RawBuilder<unknown> {
  return days === undefined ? sql`true` : sql`s.created > now() - make_interval(days => ${days})`
}
