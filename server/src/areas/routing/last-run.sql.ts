import { type RawBuilder, sql } from 'kysely'

/** Condition that no later run of the rule waits for the exam of run `alias`, has acted on it, or failed on it. */
export function isLastRun(alias: string): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`not exists (
    select
    from route_run l
    where l.rule_uuid = ${of('rule_uuid')} and l.study_uuid = ${of('study_uuid')} and l.state <> 'not_matched'
      and (l.created, l.uuid) > (${of('created')}, ${of('uuid')})
  )`
}
