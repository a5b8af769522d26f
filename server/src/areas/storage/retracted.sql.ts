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
