import { type GateField, gateFields, processPriorities } from '@hilum/contract/gate-fields'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/**
 * The uuids of the account's gate fields by their key, as `meta_info_customfields` of a group gives them; those that the
 * account does not have yet, or has no more, are made.
 */
export async function ensureGateFields(db: Db, accountUuid: string): Promise<Record<string, string>> {
  const keys = Object.keys(gateFields)
  const types = Object.values(gateFields)
  const choices = JSON.stringify({ values: processPriorities, field_label: 'Priority' })
  await sql`
    insert into customfield (uuid, account_uuid, name, object, type, options, ui_json, gate_key)
    select gen_random_uuid(), ${accountUuid}, f.key, 'Study', f.type,
      case when f.key = 'priority' then ${choices}::jsonb end, '{"show_on_pages": []}'::jsonb, f.key
    from unnest(${keys}::text[], ${types}::text[]) as f (key, type)
    on conflict (account_uuid, gate_key) where gate_key is not null and deleted_at is null do nothing
  `.execute(db)
  const { rows } = await sql<{ gate_key: GateField; uuid: string }>`
    select c.gate_key, c.uuid
    from customfield c
    where c.account_uuid = ${accountUuid} and c.gate_key is not null and c.deleted_at is null
    order by c.gate_key
  `.execute(db)
  return Object.fromEntries(rows.map((one) => [one.gate_key, one.uuid]))
}

/**
 * Takes up values of the priority into the account's field, behind those that it has. None is taken out: exams of this
 * group, or of another one, may have it.
 */
export async function offerPriorities(db: Db, accountUuid: string, values: readonly string[]): Promise<void> {
  await sql`
    update customfield c
    set options = jsonb_set(
      coalesce(c.options, '{}'), '{values}',
      coalesce(c.options -> 'values', '[]') || coalesce((
        select jsonb_agg(v.value order by v.place)
        from unnest(${values as string[]}::text[]) with ordinality as v (value, place)
        where not coalesce(c.options -> 'values', '[]') ? v.value
      ), '[]')
    )
    where c.account_uuid = ${accountUuid} and c.gate_key = 'priority' and c.deleted_at is null
  `.execute(db)
}
