import { type RawBuilder, sql } from 'kysely'

/**
 * Condition: the owner of a study took it back from this namespace. Whatever comes of it there again waits for approval.
 * Uses study_retracted.
 */
export const wasRetracted = (
  namespace: RawBuilder<unknown>,
  studyUid: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`exists (
  select
  from study back
  where back.study_uid = ${studyUid} and back.phi_namespace = ${namespace} and back.retraction_uuid is not null
)`

/**
 * Condition: record `d` may tell the reason of retraction `r`, and who took the study back. At a copy without names both
 * could say whose it is, so that they stand with the record alone that the retraction began with.
 * @param record name of the table of the record in the statement
 */
export const tellsReason = (record: 's' | 'd'): RawBuilder<boolean> =>
  sql`(r.study_uid = ${sql.ref(`${record}.study_uid`)}
    and (not r.is_nameless or r.phi_namespace = ${sql.ref(`${record}.phi_namespace`)}))`
