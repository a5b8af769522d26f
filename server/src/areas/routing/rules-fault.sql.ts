import { type RawBuilder, sql } from 'kysely'
import { hasLiveSource } from '../../access/record-sources.sql.ts'
import { isLastRun } from './last-run.sql.ts'

/** Reasons for which an action fails on every exam: what the rule acts on is gone, takes nothing, or its work gave up. */
export const faultsOfRules: readonly string[] = ['TARGET_GONE', 'NOT_AVAILABLE', 'WEBHOOK_DISABLED', 'FAILED']

/**
 * Condition that run `alias` failed in the last month for another reason than the exam, was not dismissed, and is the last one
 * of its rule on an exam that is there.
 */
export function isRulesFault(alias: string): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`(
    ${of('state')} = 'failed'
    and ${of('created')} > now() - interval '30 days'
    and ${of('dismissed_at')} is null
    and (${of('reason')} <> 'ACTION_FAILED' or exists (
      select
      from jsonb_array_elements(
        case when jsonb_typeof(${of('detail')} -> 'actions') = 'array' then ${of('detail')} -> 'actions' end
      ) a
      where a.value ->> 'reason' = any(${faultsOfRules as string[]})
    ))
    and ${isLastRun(alias)}
    and exists (select from study s where s.uuid = ${of('study_uuid')} and s.deleted_at is null and ${hasLiveSource('s')})
  )`
}
