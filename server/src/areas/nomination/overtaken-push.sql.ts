import { sql } from 'kysely'

/**
 * Condition that push `p` of a record no longer tells how far the record is: of an exam that a gatekeeper group got by a
 * nomination, no push of before does once the nomination waits again or was rejected, or went to another destination.
 */
export const isOvertakenPush = sql`exists (
  select
  from nomination m
  where m.gate_uuid = p.study_uuid and m.state <> 'cancelled'
    and (m.state <> 'sent' or p.destination_uuid <> m.destination_uuid and p.created < m.decided_at)
)`
