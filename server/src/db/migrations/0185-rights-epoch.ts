import { type Kysely, sql } from 'kysely'

/**
 * An epoch of rights: one value that every transaction renews which changes where people belong or what their roles
 * allow. Gathered rights are good for as long as the value is the same. The database renews the value itself, so that no
 * door, command or other process can forget to.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Columns that the look-up of memberships reads (`membershipsOf`). */
const read: Readonly<Record<string, readonly string[]>> = {
  namespace: ['uuid', 'kind', 'owner_uuid', 'account_uuid', 'name'],
  account: ['uuid', 'namespace_uuid'],
  account_user: ['account_uuid', 'user_uuid', 'role_uuid', 'disabled'],
  app_group: ['uuid', 'account_uuid', 'namespace_uuid', 'default_role_uuid'],
  group_user: ['group_uuid', 'user_uuid', 'role_uuid'],
  role: ['uuid', 'permissions'],
  setting: ['scope', 'scope_uuid', 'key', 'value'],
}

const isOfFields = (row: string) => `${row}.key = 'study_field_flags'`
const conditions: Readonly<Record<string, { made: string; gone: string }>> = {
  setting: { made: isOfFields('new'), gone: isOfFields('old') },
}
/** Settings of other names come and go all day. */
const isRead = (table: string) => conditions[table] ?? { made: 'true', gone: 'true' }
const each = (row: string, columns: readonly string[]) => columns.map((one) => `${row}.${one}`).join(', ')
const renews = (name: string, when: string, condition: string) => {
  const how = `deferrable initially deferred for each row when (${condition})`
  return `create constraint trigger ${name} after ${when} ${how} execute function renew_rights_epoch()`
}
/** Also where rows come by replication or by a restore, which leave out other triggers. */
const always = (table: string, name: string) => `alter table ${table} enable always trigger ${name}`

/*
 * Deferred to the commit, where nothing is locked any more: a transaction that locked the one row in the middle of its
 * work could wait for another that waits for the row. By the row's own uuid and no counter, which a restored database
 * would count up to the same number a second time.
 */
const statements = [
  `create table rights_epoch (
    epoch uuid not null default gen_random_uuid(),
    is_only boolean primary key default true check (is_only)
  )`,
  `insert into rights_epoch default values`,
  // once for each transaction, however many rows it changes; a commit waits for another for ten seconds at most, as the
  // time of a statement bounds nothing of a commit
  `create function renew_rights_epoch() returns trigger language plpgsql set lock_timeout = '10s' as $$
    begin
      if current_setting('hilum.rights_renewed', true) is distinct from pg_current_xact_id()::text then
        update rights_epoch set epoch = gen_random_uuid();
        perform set_config('hilum.rights_renewed', pg_current_xact_id()::text, true);
      end if;
      return null;
    end
  $$`,
  ...Object.entries(read).flatMap(([table, columns]) => {
    const { made, gone } = isRead(table)
    const isOther = `(${each('old', columns)}) is distinct from (${each('new', columns)})`
    const named = (act: string) => `${table}_${act}_renews_rights`
    return [
      renews(named('made'), `insert on ${table}`, made),
      renews(named('changed'), `update on ${table}`, `(${made} or ${gone}) and ${isOther}`),
      renews(named('gone'), `delete on ${table}`, gone),
      // PostgreSQL defers no trigger of truncate, and nobody else reads the table before the commit
      `create trigger ${named('emptied')} after truncate on ${table} execute function renew_rights_epoch()`,
      ...['made', 'changed', 'gone', 'emptied'].map((act) => always(table, named(act))),
    ]
  }),
]
