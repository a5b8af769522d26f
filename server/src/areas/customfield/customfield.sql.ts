import {
  type CustomFieldObject,
  type CustomFieldOptions,
  type CustomFieldType,
  storedFlags,
  storedTexts,
} from '@hilum/contract/calls/customfield'
import type { GateField } from '@hilum/contract/gate-fields'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'

/** Columns that custom fields are found and sorted by. */
export const customFieldListColumns = {
  uuid: { kind: 'uuid', column: sql.ref('c.uuid') },
  name: { kind: 'text', column: sql.ref('c.name') },
  object: { kind: 'exact', column: sql.ref('c.object') },
  type: { kind: 'exact', column: sql.ref('c.type') },
  required: { kind: 'flag', column: sql.ref('c.required') },
  display_order: { kind: 'integer', column: sql.ref('c.display_order') },
  field_flag: { kind: 'exact', column: sql.ref('c.field_flag') },
  ...Object.fromEntries(
    storedFlags.map((name) => [
      name,
      { kind: 'flag' as const, column: sql`coalesce(c.extra ->> ${sql.lit(name)} = '1', false)` },
    ]),
  ),
  ...Object.fromEntries(
    storedTexts.map((name) => [
      name,
      { kind: 'exact' as const, column: sql`coalesce(c.extra ->> ${sql.lit(name)}, '')` },
    ]),
  ),
} as const satisfies FilterColumns

/** Custom fields in the order of their form. */
export const customFieldOrder = sql`c.display_order nulls last, lower(c.name), c.uuid`

export interface CustomFieldRow {
  uuid: string
  account_uuid: string
  name: string
  object: CustomFieldObject
  type: CustomFieldType
  display_order: number | null
  required: boolean
  options: CustomFieldOptions | null
  ui_json: Record<string, unknown> | null
  field_flag: string
  /** Values that outside clients keep here, by the wire's names. */
  extra: Record<string, unknown>
  /** Of a field that nominations write or read: which (contract/src/gate-fields.ts). */
  gate_key?: GateField | null
}

const columns = sql`
  c.uuid, c.account_uuid, c.name, c.object, c.type, c.display_order, c.required, c.options, c.ui_json, c.field_flag, c.extra, c.gate_key`
const shownOrder = sql`c.display_order nulls last, lower(c.name), c.uuid`

export async function listCustomFields(
  db: Db,
  accountUuid: string,
  { where, orderBy, limit }: ListSql,
): Promise<CustomFieldRow[]> {
  const { rows } = await sql<CustomFieldRow>`
    select ${columns}, ${totalColumn}
    from customfield c
    where c.account_uuid = ${accountUuid} and c.deleted_at is null and ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

/** The fields that these accounts define for one kind of object, in the order in which they are shown. */
export async function listDefinitions(
  db: Db,
  accountUuids: readonly string[],
  object: CustomFieldObject,
): Promise<CustomFieldRow[]> {
  if (accountUuids.length === 0) return []
  return readRows(db, sql`c.account_uuid = any(${accountUuids as string[]}) and c.object = ${object}`)
}

/** The fields of exams that whoever sends by a share code of the account fills in; what nominations write is none of them. */
export async function listCapturedFields(db: Db, accountUuid: string): Promise<CustomFieldRow[]> {
  return readRows(
    db,
    sql`c.account_uuid = ${accountUuid} and c.object = 'Study' and c.extra ->> 'capture_on_share_code' = '1'
      and c.gate_key is null`,
  )
}

export async function findCustomField(db: Db, uuid: string): Promise<CustomFieldRow | undefined> {
  return (await readRows(db, sql`c.uuid = ${uuid}`))[0]
}

/** As `findCustomField`, with its row locked. */
export async function lockCustomField(tx: Tx, uuid: string): Promise<CustomFieldRow | undefined> {
  await sql`select from customfield where uuid = ${uuid} for update`.execute(tx)
  return findCustomField(tx, uuid)
}

/** Of these uuids the ones of custom fields of the account. */
export async function listCustomFieldUuids(db: Db, accountUuid: string, uuids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select c.uuid
    from customfield c
    where c.account_uuid = ${accountUuid} and c.uuid = any(${[...uuids]}::uuid[])
    order by c.uuid
  `.execute(db)
  return rows.map((row) => row.uuid)
}

/** Names are not unique; the field that is shown first counts. */
export async function findCustomFieldByName(
  db: Db,
  accountUuid: string,
  name: string,
): Promise<CustomFieldRow | undefined> {
  return (await readRows(db, sql`c.account_uuid = ${accountUuid} and lower(c.name) = lower(${name})`))[0]
}

async function readRows(db: Db, where: RawBuilder<unknown>): Promise<CustomFieldRow[]> {
  const { rows } = await sql<CustomFieldRow>`
    select ${columns}
    from customfield c
    where ${where} and c.deleted_at is null
    order by ${shownOrder}
  `.execute(db)
  return rows
}

/** Writes a definition, new or changed. */
export async function saveCustomField(db: Db, one: CustomFieldRow): Promise<void> {
  await sql`
    insert into customfield (uuid, account_uuid, name, object, type, display_order, required, options, ui_json, field_flag, extra)
    values (${one.uuid}, ${one.account_uuid}, ${one.name}, ${one.object}, ${one.type}, ${one.display_order}::integer,
      ${one.required}, ${json(one.options)}::jsonb, ${json(one.ui_json)}::jsonb, ${one.field_flag}, ${json(one.extra)}::jsonb)
    on conflict (uuid) do update
    set name = excluded.name, display_order = excluded.display_order, required = excluded.required,
      options = excluded.options, ui_json = excluded.ui_json, field_flag = excluded.field_flag, extra = excluded.extra
  `.execute(db)
}

export async function markCustomFieldDeleted(db: Db, uuid: string): Promise<void> {
  await sql`update customfield set deleted_at = now() where uuid = ${uuid}`.execute(db)
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}
