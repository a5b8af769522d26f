import { type Kysely, sql } from 'kysely'

/**
 * A narrow row for each person and place, as lists of people sort and find (docs/decisions/0124): triggers keep it. They
 * run when a transaction commits and first lock the row of the rights' epoch, as the other triggers of that moment do (0185):
 * with one lock for all, no two transactions wait for each other. Signing in takes the person's own rows alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** The rows that should be there, of memberships in accounts `au` and in groups `gu` for which this holds. */
const due = (ofAccounts: string, ofGroups: string) => `
  select p.place_uuid, u.uuid, p.place_type, p.role_uuid,
    lower(coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email)), lower(u.first_name), lower(u.last_name),
    lower(u.email), lower(p.account_login), u.disabled or p.disabled,
    case when p.place_type = 'account' then coalesce(u.last_login, '-infinity') else '-infinity' end
  from (
    select au.account_uuid as place_uuid, au.user_uuid, 'account' as place_type, au.role_uuid, au.account_login, au.disabled
    from account_user au
    where ${ofAccounts}
    union all
    select g.uuid, gu.user_uuid, g.kind, gu.role_uuid, '', au.disabled
    from group_user gu
    join app_group g on g.uuid = gu.group_uuid
    join account_user au on au.account_uuid = g.account_uuid and au.user_uuid = gu.user_uuid
    where ${ofGroups}
  ) p
  join app_user u on u.uuid = p.user_uuid`

const write = (dueRows: string) => `
    insert into listed_person as l ${dueRows}
    on conflict (place_uuid, user_uuid) do update
    set (place_type, role_uuid, name, first, last, email, login, disabled, last_login) = (excluded.place_type,
      excluded.role_uuid, excluded.name, excluded.first, excluded.last, excluded.email, excluded.login, excluded.disabled,
      excluded.last_login)
    where l is distinct from excluded;`

/** Writes the rows that are due, or after a membership ended, deletes those `l` of the person `who` that no longer are. */
const follow = (rows: string, dueRows: string) => `
    if tg_op = 'DELETE' then
      with due as (${dueRows})
      delete from listed_person l
      where l.user_uuid = who and (${rows}) and not exists (select from due where due.place_uuid = l.place_uuid);
    else ${write(dueRows)}
    end if;`

// Plans are kept for the connection: made while a table is small, one that reads it whole would read it so for each of
// thousands of people who come in one transaction.
const settings = `set lock_timeout = '10s' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off`

const keeper = (name: string, declared: string, body: string) =>
  `create function ${name}() returns trigger language plpgsql ${settings} as $$
  ${declared}
  begin
    ${body}
    return null;
  end $$`

const trigger = (name: string, when: string, table: string, act: string, condition = '') => [
  `create constraint trigger ${name} after ${when} on ${table} deferrable initially deferred
    for each row ${condition} execute function ${act}()`,
  `alter table ${table} enable always trigger ${name}`,
]

const changed = (...columns: string[]) =>
  `when (${columns.map((column) => `new.${column} is distinct from old.${column}`).join(' or ')})`

// once for each transaction, which may change thousands of people
const lock = `if current_setting('hilum.people_locked', true) is distinct from pg_current_xact_id()::text then
      perform from rights_epoch for no key update;
      perform set_config('hilum.people_locked', pg_current_xact_id()::text, true);
    end if;`

/** Rows that a sign-in writes as well, always in one order, so that neither of the two holds what the other waits for. */
const lockAccountsOf = (who: string) =>
  `perform from listed_person where user_uuid = ${who} and place_type = 'account' order by place_uuid for no key update;`

const statements = [
  `create table listed_person (
    place_uuid uuid not null,
    user_uuid uuid not null,
    place_type text not null,
    role_uuid uuid,
    name text not null,
    first text not null,
    last text not null,
    email text not null,
    login text not null,
    disabled boolean not null,
    last_login timestamptz not null,
    primary key (place_uuid, user_uuid)
  )`,
  `create index listed_person_of_user on listed_person (user_uuid, place_type, place_uuid)`,

  keeper(
    'list_changed_person',
    'declare who uuid := new.uuid;',
    `${lock} ${lockAccountsOf('who')} ${write(due('au.user_uuid = who', 'gu.user_uuid = who'))}`,
  ),
  // with the person's groups of the account, which tell nobody without it
  keeper(
    'list_changed_member',
    `declare
      who uuid := coalesce(new.user_uuid, old.user_uuid);
      account uuid := coalesce(new.account_uuid, old.account_uuid);`,
    `${lock} ${lockAccountsOf('who')} ${follow(
      'l.place_uuid = account or l.place_uuid in (select g.uuid from app_group g where g.account_uuid = account)',
      due('au.user_uuid = who and au.account_uuid = account', 'gu.user_uuid = who and g.account_uuid = account'),
    )}`,
  ),
  keeper(
    'list_changed_group_member',
    `declare
      who uuid := coalesce(new.user_uuid, old.user_uuid);
      place uuid := coalesce(new.group_uuid, old.group_uuid);`,
    `${lock} ${follow('l.place_uuid = place', due('false', 'gu.user_uuid = who and gu.group_uuid = place'))}`,
  ),
  keeper(
    'list_signed_in_person',
    '',
    `${lockAccountsOf('new.uuid')}
    update listed_person l
    set last_login = coalesce(u.last_login, '-infinity')
    from app_user u
    where u.uuid = new.uuid and l.user_uuid = u.uuid and l.place_type = 'account'
      and l.last_login is distinct from coalesce(u.last_login, '-infinity');`,
  ),
  keeper(
    'list_nobody',
    '',
    `${lock} delete from listed_person where tg_table_name = 'account_user' or place_type <> 'account';`,
  ),
  ...trigger(
    'person_changed',
    'update',
    'app_user',
    'list_changed_person',
    changed('first_name', 'last_name', 'email', 'disabled'),
  ),
  ...trigger('person_signed_in', 'update', 'app_user', 'list_signed_in_person', changed('last_login')),
  ...trigger('member_came_or_left', 'insert or delete', 'account_user', 'list_changed_member'),
  ...trigger(
    'member_changed',
    'update',
    'account_user',
    'list_changed_member',
    changed('role_uuid', 'account_login', 'disabled'),
  ),
  ...trigger('group_member_came_or_left', 'insert or delete', 'group_user', 'list_changed_group_member'),
  ...trigger('group_member_changed', 'update', 'group_user', 'list_changed_group_member', changed('role_uuid')),
  // PostgreSQL defers no trigger of truncate
  ...['account_user', 'group_user'].flatMap((table) => [
    `create trigger ${table}_emptied after truncate on ${table} execute function list_nobody()`,
    `alter table ${table} enable always trigger ${table}_emptied`,
  ]),

  `insert into listed_person ${due('true', 'true')}`,
  // with what filters ask besides, so that a page far behind reads nothing but its index
  `create index listed_person_by_name on listed_person (place_uuid, name, user_uuid) include (disabled, role_uuid)`,
  `create index listed_person_by_email on listed_person (place_uuid, email, user_uuid)`,
  `create index listed_person_by_sign_in on listed_person (place_uuid, last_login desc, name, user_uuid)`,
  `create index listed_person_by_role on listed_person (role_uuid, name, user_uuid, place_uuid)`,
  `create index listed_person_by_state on listed_person (place_uuid, disabled, name, user_uuid)`,
  `create index listed_person_name_parts on listed_person using gin (name gin_trgm_ops)`,
  `create index listed_person_email_parts on listed_person using gin (email gin_trgm_ops)`,
  `create index listed_person_parts_of_names on listed_person using gin (first gin_trgm_ops, last gin_trgm_ops)`,
  `drop index app_user_by_name`,
  `drop index app_user_name_parts`,
  `analyze listed_person`,
]
