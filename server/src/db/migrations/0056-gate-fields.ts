import { type Kysely, sql } from 'kysely'

/** Gives accounts with a gatekeeper group the custom fields of nominations, and their groups the names of these. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(makeFields).execute(db)
  const { rows } = await sql.raw<{ scope_uuid: string; value: string; fields: object }>(groupsToTell).execute(db)
  for (const { scope_uuid: namespace, value, fields } of rows) {
    const config = readObject(value)
    if (!config) continue
    const told = JSON.stringify({ ...config, meta_info_customfields: fields })
    await sql`
      update setting set value = ${told} where scope = 'namespace' and scope_uuid = ${namespace} and key = 'inbox_config'
    `.execute(db)
  }
}

/** A kept configuration that cannot be read is left as it is. */
function readObject(value: string): object | undefined {
  try {
    const read: unknown = JSON.parse(value)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : undefined
  } catch {
    return undefined
  }
}

const makeFields = `
  insert into customfield (uuid, account_uuid, name, object, type, options, ui_json, gate_key)
  select gen_random_uuid(), a.account_uuid, f.key, 'Study', f.type,
    case when f.key = 'priority' then '{"values": ["Routine", "Priority"], "field_label": "Priority"}'::jsonb end,
    '{"show_on_pages": []}'::jsonb, f.key
  from (select distinct account_uuid from app_group where designation = 'GATEKEEPER') a
  cross join (values
    ('submission_status', 'bool'), ('selected_gatekeeper', 'text'), ('submitted_at', 'text'),
    ('source_study_id', 'text'), ('is_process_form_rejected', 'bool'), ('process_rejection_reason', 'text'),
    ('process_rejection_message', 'memo'), ('nomination_push_status', 'text'), ('push_destination', 'text'),
    ('priority', 'radio')
  ) as f (key, type)`

const groupsToTell = `
  select s.scope_uuid, s.value, m.fields
  from setting s
  join app_group g on g.namespace_uuid = s.scope_uuid and g.designation in ('GATEKEEPER', 'CLOUD')
  join (
    select c.account_uuid, jsonb_object_agg(c.gate_key, c.uuid) as fields
    from customfield c
    where c.gate_key is not null
    group by c.account_uuid
  ) m on m.account_uuid = g.account_uuid
  where s.scope = 'namespace' and s.key = 'inbox_config'`
