import { type Kysely, sql } from 'kysely'

/**
 * A narrow row for each person and place, as lists of people sort and find (docs/decisions/0124): triggers keep it. They
 * run when a transaction commits and first lock the row of the rights' epoch, as the other triggers of that moment do (0185):
 * with one lock for all, no two transactions wait for each other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** The rows that should be there, of all people or of one. */
const due = (ofPerson: string) => `
  select p.place_uuid, u.uuid, p.place_type, p.role_uuid,
    lower(coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email)), lower(u.first_name), lower(u.last_name),
    lower(u.email), lower(p.account_login), u.disabled or p.disabled,
    case when p.place_type = 'account' then coalesce(u.last_login, '-infinity') else '-infinity' end
  from (
    select au.account_uuid as place_uuid, au.user_uuid, 'account' as place_type, au.role_uuid, au.account_login, au.disabled
    from account_user au
    ${ofPerson && `where au.user_uuid = ${ofPerson}`}
    union all
    select g.uuid, gu.user_uuid, g.kind, gu.role_uuid, '', au.disabled
    from group_user gu
    join app_group g on g.uuid = gu.group_uuid
    join account_user au on au.account_uuid = g.account_uuid and au.user_uuid = gu.user_uuid
    ${ofPerson && `where gu.user_uuid = ${ofPerson}`}
  ) p
  join app_user u on u.uuid = p.user_uuid`

const trigger = (name: string, when: string, table: string, act: string, condition = '') =>
  `create constraint trigger ${name} after ${when} on ${table} deferrable initially deferred
    for each row ${condition} execute function ${act}()`

const changed = (...columns: string[]) =>
  `when (${columns.map((column) => `new.${column} is distinct from old.${column}`).join(' or ')})`

const lock = 'perform from rights_epoch for no key update'

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
  `create index listed_person_of_user on listed_person (user_uuid)`,

  `create function list_person(who uuid) returns void language plpgsql as $$
  begin
    ${lock};
    with due as (${due('who')})
    delete from listed_person l
    where l.user_uuid = who and not exists (select from due where due.place_uuid = l.place_uuid);
    insert into listed_person as l ${due('who')}
    on conflict (place_uuid, user_uuid) do update
    set (place_type, role_uuid, name, first, last, email, login, disabled, last_login) = (excluded.place_type,
      excluded.role_uuid, excluded.name, excluded.first, excluded.last, excluded.email, excluded.login, excluded.disabled,
      excluded.last_login)
    where l is distinct from excluded;
  end $$`,
  `create function list_changed_person() returns trigger language plpgsql as $$
  begin
    perform list_person(new.uuid);
    return null;
  end $$`,
  `create function list_changed_member() returns trigger language plpgsql as $$
  begin
    perform list_person(coalesce(new.user_uuid, old.user_uuid));
    return null;
  end $$`,
  // signing in is frequent, and concerns the rows of accounts alone
  `create function list_signed_in_person() returns trigger language plpgsql as $$
  begin
    ${lock};
    update listed_person
    set last_login = u.last_login
    from app_user u
    where u.uuid = new.uuid and u.last_login is not null
      and listed_person.user_uuid = u.uuid and listed_person.place_type = 'account';
    return null;
  end $$`,
  trigger(
    'person_changed',
    'update',
    'app_user',
    'list_changed_person',
    changed('first_name', 'last_name', 'email', 'disabled'),
  ),
  trigger('person_signed_in', 'update', 'app_user', 'list_signed_in_person', changed('last_login')),
  trigger('member_came_or_left', 'insert or delete', 'account_user', 'list_changed_member'),
  trigger(
    'member_changed',
    'update',
    'account_user',
    'list_changed_member',
    changed('role_uuid', 'account_login', 'disabled'),
  ),
  trigger('group_member_came_or_left', 'insert or delete', 'group_user', 'list_changed_member'),
  trigger('group_member_changed', 'update', 'group_user', 'list_changed_member', changed('role_uuid')),

  `insert into listed_person ${due('')}`,
  // with what filters ask besides, so that a page far behind reads nothing but its index
  `create index listed_person_by_name on listed_person (place_uuid, name, user_uuid) include (disabled, role_uuid)`,
  `create index listed_person_by_email on listed_person (place_uuid, email, user_uuid)`,
  `create index listed_person_by_sign_in on listed_person (place_uuid, last_login desc, name, user_uuid)`,
  `create index listed_person_by_role on listed_person (role_uuid, name, user_uuid, place_uuid)`,
  `create index listed_person_by_state on listed_person (place_uuid, disabled, name, user_uuid)`,
  `create index listed_person_name_parts on listed_person using gin (name gin_trgm_ops)`,
  `create index listed_person_email_parts on listed_person using gin (email gin_trgm_ops)`,
  `drop index app_user_by_name`,
  `drop index app_user_name_parts`,
  `analyze listed_person`,
]
