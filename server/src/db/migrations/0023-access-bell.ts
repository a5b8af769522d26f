import { type Kysely, sql } from 'kysely'

/**
 * Rings when somebody may do less than before: a session ended, a person was disabled, a place or a role was lost. The
 * database rings itself, so that no door, command or other process can forget to. The notification names the person, or
 * nobody where it may concern everybody.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create function ring_access_of_gone() returns trigger language plpgsql as $$
    begin
      perform pg_notify('hilum_access', user_uuid::text) from (select distinct user_uuid from gone) persons;
      return null;
    end
  $$`,
  `create function ring_access_of_user() returns trigger language plpgsql as $$
    begin
      perform pg_notify('hilum_access', old.uuid::text);
      return null;
    end
  $$`,
  `create function ring_access_of_all() returns trigger language plpgsql as $$
    begin
      perform pg_notify('hilum_access', '');
      return null;
    end
  $$`,
  ...['session', 'account_user', 'group_user'].map(
    (table) => `create trigger ${table}_gone after delete on ${table}
      referencing old table as gone for each statement execute function ring_access_of_gone()`,
  ),
  ...['account_user', 'group_user'].map(
    (table) => `create trigger ${table}_changed after update on ${table}
      referencing old table as gone for each statement execute function ring_access_of_gone()`,
  ),
  `create trigger app_user_disabled after update on app_user
    for each row when (new.disabled and not old.disabled) execute function ring_access_of_user()`,
  `create trigger role_changed after update on role
    for each row when (new.permissions is distinct from old.permissions) execute function ring_access_of_all()`,
  `create trigger app_group_role_changed after update on app_group
    for each row when (new.default_role_uuid is distinct from old.default_role_uuid)
    execute function ring_access_of_all()`,
]
