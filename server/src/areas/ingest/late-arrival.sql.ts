import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { IngestedStudyKey } from '../storage/ingest.sql.ts'
import type { ReadyKey } from './study-ready.sql.ts'

/** New images of one sender for a study whose record was there already. */
export type LateArrival = IngestedStudyKey & {
  /** The user or link, or the AE title of a node. */
  sender: string
  actor: string | null
  by_key: boolean
  images: number
}

/** Counts images that came to records which were there, until their arrival ends. */
export async function countLate(tx: Tx, late: readonly LateArrival[]): Promise<void> {
  await sql`
    insert into late_arrival (phi_namespace, study_uuid, sender, actor, by_key, images)
    select s.phi_namespace, s.uuid, r.sender, r.actor, r.by_key, r.images
    from json_to_recordset(${JSON.stringify(late)}::json) as r(
      storage_namespace uuid, study_uid text, sender text, actor uuid, by_key boolean, images integer
    )
    join study s on s.phi_namespace = r.storage_namespace and s.study_uid = r.study_uid and s.deleted_at is null
    order by s.phi_namespace, s.uuid, r.sender
    on conflict (phi_namespace, study_uuid, sender) do update
    set images = late_arrival.images + excluded.images
  `.execute(tx)
}

/** Puts the images that were counted of these records on record, one row for each sender. */
export async function auditLate(tx: Tx, records: readonly ReadyKey[], at: Date): Promise<void> {
  await sql`
    with counted as (
      delete from late_arrival l
      using unnest(
        ${records.map((one) => one.phi_namespace)}::uuid[],
        ${records.map((one) => one.uuid)}::uuid[]
      ) as r (phi_namespace, uuid)
      where l.phi_namespace = r.phi_namespace and l.study_uuid = r.uuid
      returning l.phi_namespace, l.study_uuid, l.sender, l.actor, l.by_key, l.images
    )
    insert into audit (account_uuid, at, actor, actor_kind, actor_name, action, type, object_uuid, phi_namespace, detail)
    select s.account_uuid, ${at}, c.actor,
      case when c.actor is null then 'node' when k.uuid is not null then 'link' when c.by_key then 'key' else 'user' end,
      coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email, case when k.uuid is not null then 'Link' end,
        case when c.actor is null then c.sender end, ''),
      'IMAGE_ADDED', 'Study', s.uuid, s.phi_namespace,
      jsonb_build_object('images', c.images) || ${saidOfSender('q')}
    from counted c
    join study s on s.phi_namespace = c.phi_namespace and s.uuid = c.study_uuid
    left join app_user u on u.uuid = c.actor
    left join link k on k.uuid = c.actor
    left join link_request q on q.link_uuid = k.uuid
    order by s.phi_namespace, s.uuid, c.sender
  `.execute(tx)
}

/**
 * The sender by a request, for the audit: the name as typed, and that it came by a share code.
 * @param request alias of its row in `link_request`, which others have none of
 */
export function saidOfSender(request: string): RawBuilder<unknown> {
  const [sender, byShareCode] = [sql.ref(`${request}.sender`), sql.ref(`${request}.by_share_code`)]
  return sql`jsonb_strip_nulls(jsonb_build_object('sender', nullif(${sender}, ''), 'by_share_code', nullif(${byShareCode}, false)))`
}
