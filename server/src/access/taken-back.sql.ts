import { type RawBuilder, sql } from 'kysely'

/**
 * Condition: taking a record of another place back hides this one. Its own place finds the record nowhere, not in the bin
 * either. @param study alias of the record
 */
export function isTakenBack(study: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${study}.${name}`)
  return sql`(
    ${column('retraction_uuid')} is not null
    and not exists (
      select
      from retraction back
      where back.uuid = ${column('retraction_uuid')} and back.study_uuid = ${column('uuid')}
    )
  )`
}
