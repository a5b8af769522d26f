import type { RestoredAccess } from '@hilum/contract/calls/study-acts'
import { linkPasswordTries } from '@hilum/contract/limits'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

type RecordKey = { phi_namespace: string; uuid: string }

/**
 * How many shares of a deleted record and links to it, in force when it was deleted, give access once it is restored, and
 * how many stay ended. Nominations are no shares here, and several shares with one recipient are one.
 * @param into the record that takes it in, which links to images of one patient do not follow where it has several
 */
export async function countRestoredAccess(tx: Tx, key: RecordKey, into?: RecordKey): Promise<RestoredAccess> {
  const { rows } = await sql<RestoredAccess>`
    with given as (
      select 'share' as kind, h.state in ('scheduled', 'delivered') as is_kept, h.expires_at, h.ended_at, false as is_of_one_patient
      from share h
      where h.study_uuid = ${key.uuid} and h.goes_with is null
        and not exists (select from nomination m where m.share_uuid = h.uuid)
      union all
      select 'link', l.ended_at is null, l.expires_at, l.ended_at, coalesce(n.mixed_patients and not s.mixed_patients, false)
      from link_study ls
      join link l on l.uuid = ls.link_uuid
      join study s on s.phi_namespace = ls.phi_namespace and s.uuid = ls.study_uuid
      left join study n on n.phi_namespace = ${into?.phi_namespace ?? null} and n.uuid = ${into?.uuid ?? null}
      where ls.phi_namespace = ${key.phi_namespace} and ls.study_uuid = ${key.uuid}
        and (l.max_hits is null or l.hits < l.max_hits) and l.wrong_passwords < ${linkPasswordTries}
    ), judged as (
      select g.kind,
        case
          when g.is_kept and coalesce(g.expires_at > now(), true) then case when g.is_of_one_patient then 'one_patient' else 'back' end
          when least(g.ended_at, g.expires_at) < s.deleted_at then 'before'
          when g.expires_at <= coalesce(g.ended_at, now()) then 'expired'
          else 'ended'
        end as fate
      from given g
      join study s on s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid}
    )
    select count(*) filter (where fate = 'back' and kind = 'share')::integer as shares,
      count(*) filter (where fate = 'back' and kind = 'link')::integer as links,
      count(*) filter (where fate = 'expired')::integer as expired,
      count(*) filter (where fate = 'ended')::integer as ended,
      count(*) filter (where fate = 'one_patient')::integer as one_patient
    from judged
  `.execute(tx)
  return rows[0] ?? { shares: 0, links: 0, expired: 0, ended: 0, one_patient: 0 }
}
