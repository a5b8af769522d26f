import { rulesAfterSeparationMinutes } from '@hilum/contract/limits'
import { sql } from 'kysely'

/**
 * End of the time in which nothing but a person sends study `s`, after a separation or merge gave images to it or took
 * some from it; null once it is over.
 */
export const undoUntil = sql<Date | null>`(
  select max(p.updated + ${rulesAfterSeparationMinutes}::integer * interval '1 minute')
  from separation p
  where (p.study_uuid = s.uuid or p.to_study_uuid = s.uuid) and p.state = 'made'
    and p.updated > now() - ${rulesAfterSeparationMinutes}::integer * interval '1 minute'
)`
