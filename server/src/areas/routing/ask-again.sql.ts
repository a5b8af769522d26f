import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { undoUntil } from './undo-time.sql.ts'

/** Reasons of an action that end when the record, or what is said of its patient, changes. */
const ofPatient = ['NOT_READY', 'FOREIGN_MRN', 'OTHER_PATIENT']

/** Condition that run `r` failed and its rule `u` has not acted on the study otherwise, nor will. */
export const hasNotActed = sql`(
  r.state = 'failed' and r.trigger <> 'manual'
  and not exists (
    select
    from route_run o
    where o.study_uuid = r.study_uuid and o.rule_uuid = r.rule_uuid and o.trigger <> 'manual'
      and o.state in ('waiting', 'done')
  )
)`

const failedFor = (reasons: readonly string[]) => sql`exists (
  select
  from jsonb_array_elements(case when jsonb_typeof(r.detail -> 'actions') = 'array' then r.detail -> 'actions' end) a
  where a.value ->> 'reason' = any(${reasons as string[]})
)`

/** Of these records those on which rules that are switched on failed for the patient, and the end of their time for Undo. */
export async function listFailedRecords(
  tx: Tx,
  uuids: readonly string[],
): Promise<{ uuid: string; undo_until: Date | null }[]> {
  const { rows } = await sql<{ uuid: string; undo_until: Date | null }>`
    select s.uuid, ${undoUntil} as undo_until
    from study s
    where s.uuid = any(${uuids as string[]}) and s.deleted_at is null
      and exists (
        select
        from route_run r
        join routing_rule u on u.uuid = r.rule_uuid and u.deleted_at is null and not u.suspended
        where r.study_uuid = s.uuid and ${hasNotActed} and ${failedFor(ofPatient)}
      )
    order by s.uuid
  `.execute(tx)
  return rows
}

/** Records that rules of an account did not send for the authority of their MRN, and the end of their time for Undo. */
export async function listForeignRecords(
  db: Db,
  accountUuid: string,
): Promise<{ uuid: string; undo_until: Date | null }[]> {
  const { rows } = await sql<{ uuid: string; undo_until: Date | null }>`
    select s.uuid, ${undoUntil} as undo_until
    from study s
    where s.deleted_at is null and s.uuid in (
      select r.study_uuid
      from routing_rule u
      join route_run r on r.rule_uuid = u.uuid and r.state = 'failed'
      where u.account_uuid = ${accountUuid} and u.deleted_at is null and not u.suspended
        and ${hasNotActed} and ${failedFor(['FOREIGN_MRN'])}
    )
    order by s.uuid
  `.execute(db)
  return rows
}
