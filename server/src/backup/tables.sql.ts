import type { PooledConnection } from '../db/database.ts'

/** A table and those of its columns that hold something of their own. */
export interface TableShape {
  name: string
  columns: string[]
}

/** How far the numbers of a column have been given out. */
interface SequenceState {
  table: string
  column: string
  last: number
  isCalled: boolean
}

/**
 * The migrations' own notes, made by migrating; the outbox of events, the jobs of the wire, reports and answers to acts, whose readers are gone;
 * mails to administrators about this machine; the name of the database, since what is imported is another one; the
 * epoch of rights, which importing renews.
 */
const leftOut = [
  'kysely_migration',
  'kysely_migration_lock',
  'event',
  'job',
  'report',
  'answered_act',
  'installation_warning',
  'database_name',
  'rights_epoch',
]

/** All tables that hold the installation, in the order of their names; a partitioned one counts as one. */
export async function listTables(client: PooledConnection): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = current_schema()::regnamespace
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and c.relname <> all($1)
    group by c.relname
    order by c.relname`,
    [leftOut],
  )
  return rows
}

/** References between tables, but for those of a table to itself. */
export async function listReferences(client: PooledConnection): Promise<{ from: string; to: string }[]> {
  const { rows } = await client.query<{ from: string; to: string }>(
    `select distinct f.relname as "from", t.relname as "to"
    from pg_constraint k
    join pg_class f on f.oid = k.conrelid and not f.relispartition
    join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and f.relnamespace = current_schema()::regnamespace and f.oid <> t.oid
    order by 1, 2`,
  )
  return rows
}

export async function listSequences(client: PooledConnection): Promise<SequenceState[]> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select t.relname as "table", a.attname as "column", quote_ident(s.relname) as sequence
    from pg_class s
    join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
      and d.deptype in ('a', 'i')
    join pg_class t on t.oid = d.refobjid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace
    order by 1, 2`,
  )
  const states: SequenceState[] = []
  for (const { table, column, sequence } of rows) {
    const read = await client.query<{ last: number; isCalled: boolean }>(
      `select last_value as last, is_called as "isCalled" from ${sequence}`,
    )
    if (read.rows[0]) states.push({ table, column, ...read.rows[0] })
  }
  return states
}

export async function setSequence(client: PooledConnection, state: SequenceState): Promise<void> {
  await client.query(`select setval(pg_get_serial_sequence(quote_ident($1), $2), $3, $4)`, [
    state.table,
    state.column,
    state.last,
    state.isCalled,
  ])
}

/** Begins a transaction that sees one moment of the database, and writes values in one way. */
export async function beginSnapshot(client: PooledConnection): Promise<void> {
  await client.query('begin isolation level repeatable read, read only')
  await fixFormats(client)
}

/** Values are written and read in the same way whatever the server is set to. */
export async function fixFormats(client: PooledConnection): Promise<void> {
  await client.query(
    `set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
    set local bytea_output = 'hex'; set local extra_float_digits = 1; set local client_encoding = 'UTF8'`,
  )
}

export function copyTableOut({ name, columns }: TableShape): string {
  return `copy (select ${columns.map(quote).join(', ')} from ${quote(name)}) to stdout`
}

export function copyTableIn({ name, columns }: TableShape): string {
  return `copy ${quote(name)} (${columns.map(quote).join(', ')}) from stdin`
}

/** Each object once: its key, its least length, and its SHA-256 where it is known as a whole. Keys hold no tabs, and come in the order of their bytes. */
export const copyObjectsOut = `copy (
  select object_key, max(byte_offset + length),
    case when count(distinct sha256) = 1 and max(byte_offset) = 0 then min(encode(sha256, 'hex')) else '' end
  from blob
  where state = 'ready'
  group by object_key
  order by object_key collate "C"
) to stdout`

export async function sumObjects(client: PooledConnection): Promise<{ count: number; bytes: number }> {
  const { rows } = await client.query<{ count: number; bytes: number }>(
    `select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes
    from (select max(byte_offset + length) as bytes from blob where state = 'ready' group by object_key) as objects`,
  )
  return rows[0] ?? { count: 0, bytes: 0 }
}

/** Whether the installation still needs this object. */
export async function isObjectNeeded(client: PooledConnection, key: string): Promise<boolean> {
  const { rows } = await client.query(`select from blob where object_key = $1 and state = 'ready' limit 1`, [key])
  return rows.length > 0
}

export async function hasRows(client: PooledConnection, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(`select exists (select from ${quote(table)}) as found`)
  return rows[0]?.found ?? false
}

/** Does this without triggers of our own, which would add to what is being loaded, and sets them again as they were. */
export async function withoutTriggers<T>(client: PooledConnection, table: string, work: () => Promise<T>): Promise<T> {
  const { rows } = await client.query<{ name: string }>(
    `select tgname as name from pg_trigger where tgrelid = $1::regclass and tgenabled = 'A' and not tgisinternal`,
    [quote(table)],
  )
  await client.query(`alter table ${quote(table)} disable trigger user`)
  const result = await work()
  await client.query(`alter table ${quote(table)} enable trigger user`)
  for (const { name } of rows) await client.query(`alter table ${quote(table)} enable always trigger ${quote(name)}`)
  return result
}

/** Lets nobody go by rights that were gathered before; exports of earlier versions know no epoch. */
export async function renewRightsEpoch(client: PooledConnection): Promise<void> {
  const { rows } = await client.query<{ found: string | null }>(`select to_regclass('rights_epoch')::text as found`)
  if (rows[0]?.found) await client.query('update rights_epoch set epoch = gen_random_uuid()')
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
