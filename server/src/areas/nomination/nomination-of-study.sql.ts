import { type RawBuilder, sql } from 'kysely'
import { isCorrectedSince } from './nomination.sql.ts'

const stamp = (time: RawBuilder<unknown>) => sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')`
const nameOf = (table: string) =>
  sql`coalesce(trim(${sql.ref(`${table}.first_name`)} || ' ' || ${sql.ref(`${table}.last_name`)}), '')`

/**
 * The last nomination of record `s`, as JSON, whichever of its two records that is. Each side is looked up by its own
 * index.
 * @param lateImages counts the images of a record `s` that its push `p` did not send
 */
export const nominationOf = (lateImages: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select json_build_object(
      'side', m.side,
      'state', case
        when m.state <> 'sent' then m.state
        when p.status = 'S' then 'completed'
        when p.status = 'F' then 'failed'
        else 'queued'
      end,
      'group_uuid', m.group_uuid,
      'group_name', m.group_name,
      'from_name', coalesce(place.name, ''),
      'submitted_at', ${stamp(sql`m.submitted_at`)},
      'submitted_by_name', ${nameOf('sender')},
      'answers', m.answers,
      'deleted_questions', (
        select coalesce(
          jsonb_agg(jsonb_build_object('uuid', c.uuid, 'name', c.name, 'type', c.type, 'options', c.options) order by c.uuid),
          '[]'
        )
        from jsonb_object_keys(m.answers) answered
        join customfield c on c.uuid = answered::uuid
        where c.account_uuid = m.account_uuid and c.deleted_at is not null and c.field_flag <> 'H'
      ),
      'reason', m.reason,
      'reason_code', m.rejection_code,
      'message', m.message,
      'decided_by_name', ${nameOf('reviewer')},
      'destination_uuid', m.destination_uuid,
      'destination_name', m.destination_name,
      'status_reason', case when m.state = 'sent' then coalesce(p.message, '') else '' end,
      'commitment', case when m.state = 'sent' then p.commitment end,
      'commitment_reason', case when m.state = 'sent' then coalesce(p.commitment_message, '') else '' end,
      'late_image_count', coalesce((
        select ${lateImages}
        from study s
        where m.state = 'sent' and p.status = 'S' and s.phi_namespace = m.gate_namespace and s.uuid = m.gate_uuid
      ), 0),
      'is_corrected', case when ${isCorrectedSince} then 1 else 0 end,
      'updated', ${stamp(sql`coalesce(case when m.state = 'sent' then p.updated end, m.decided_at, m.submitted_at)`)},
      'asked', case when m.side = 'gate' and m.state = 'nominated' and m.asked_by is not null then json_build_object(
        'by_uuid', m.asked_by,
        'by_name', ${nameOf('asker')},
        'at', ${stamp(sql`m.asked_at`)},
        'destination_name', coalesce(wanted.name, ''),
        'came', (
          select coalesce(jsonb_object_agg(e ->> 'tag', e ->> 'old'), '{}') as came from jsonb_array_elements(s.edits) e
        ),
        'is_valid', case when m.asked_version = s.row_version then 1 else 0 end
      ) end
    ) as nomination
  from (
    (select 'gate' as side, g.* from nomination g where g.gate_uuid = s.uuid and g.state <> 'cancelled' limit 1)
    union all
    (select 'source', f.*
      from nomination f
      where f.study_uuid = s.uuid and f.state <> 'cancelled'
      order by f.submitted_at desc, f.uuid
      limit 1)
    limit 1
  ) m
  left join push p on p.phi_namespace = m.gate_namespace and p.study_uuid = m.gate_uuid
    and p.destination_uuid = m.destination_uuid
  left join namespace place on place.uuid = m.from_namespace
  left join app_user sender on sender.uuid = m.submitted_by
  left join app_user reviewer on reviewer.uuid = m.decided_by
  left join app_user asker on asker.uuid = m.asked_by
  left join destination wanted on wanted.uuid = m.asked_destination
)`
