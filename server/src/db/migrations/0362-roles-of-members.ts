import { type Kysely, sql } from 'kysely'

/**
 * The narrow rows of people (0193) know the role that a person has in the account also where they are of a group, whose
 * members hold that one unless the group or the membership gives another: a group is listed role by role without looking
 * each member up. The people of a role have indexes in each order of their list, with all that it is narrowed by.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** The rows that should be there, of memberships in accounts `au` and in groups `gu` for which this holds. */
const due = (ofAccounts: string, ofGroups: string) => `
  select p.place_uuid, u.uuid, p.place_type, p.role_uuid,
    lower(coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email)), lower(u.first_name), lower(u.last_name),
    lower(u.email), lower(p.account_login), u.disabled or p.disabled,
    case when p.place_type = 'account' then coalesce(u.last_login, '-infinity') else '-infinity' end, p.account_role_uuid
  from (
    select au.account_uuid as place_uuid, au.user_uuid, 'account' as place_type, au.role_uuid, au.account_login, au.disabled,
      au.role_uuid as account_role_uuid
    from account_user au
    where ${ofAccounts}
    union all
    select g.uuid, gu.user_uuid, g.kind, gu.role_uuid, '', au.disabled, au.role_uuid
    from group_user gu
    join app_group g on g.uuid = gu.group_uuid
    join account_user au on au.account_uuid = g.account_uuid and au.user_uuid = gu.user_uuid
    where ${ofGroups}
  ) p
  join app_user u on u.uuid = p.user_uuid`

const write = (dueRows: string) => `
    insert into listed_person as l ${dueRows}
    on conflict (place_uuid, user_uuid) do update
    set (place_type, role_uuid, name, first, last, email, login, disabled, last_login, account_role_uuid) =
      (excluded.place_type, excluded.role_uuid, excluded.name, excluded.first, excluded.last, excluded.email, excluded.login,
      excluded.disabled, excluded.last_login, excluded.account_role_uuid)
    where l is distinct from excluded;`

/** Writes the rows that are due, or after a membership ended, deletes those `l` of the person `who` that no longer are. */
const follow = (rows: string, dueRows: string) => `
    if tg_op = 'DELETE' then
      with due as (${dueRows})
      delete from listed_person l
      where l.user_uuid = who and (${rows}) and not exists (select from due where due.place_uuid = l.place_uuid);
    else ${write(dueRows)}
    end if;`

// as the functions that these replace (0193)
const settings = `set lock_timeout = '10s' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off`

const keeper = (name: string, declared: string, body: string) =>
  `create or replace function ${name}() returns trigger language plpgsql ${settings} as $$
  ${declared}
  begin
    if current_setting('hilum.people_locked', true) is distinct from pg_current_xact_id()::text then
      perform from rights_epoch for no key update;
      perform set_config('hilum.people_locked', pg_current_xact_id()::text, true);
    end if;
    ${body}
    return null;
  end $$`

const lockAccountsOfPerson = `perform from listed_person where user_uuid = who and place_type = 'account' order by place_uuid
      for no key update;`

const held = [
  'disabled',
  'role_uuid',
  'name',
  'first',
  'last',
  'email',
  'login',
  'last_login',
  'place_type',
  'account_role_uuid',
]

/** An index by these columns, with others beside them: all that any list is narrowed by, but for what is left out. */
const index = (name: string, by: readonly string[], leftOut: readonly string[] = []) => {
  const others = held.filter((one) => !by.includes(one) && !leftOut.includes(one))
  return `create index ${name} on listed_person (${by.join(', ')}) include (${others.join(', ')})`
}

// of a list of an account alone, or of a group alone
const unasked = ['place_type']
const ofRole = ['disabled', 'first', 'last', 'login', 'last_login', 'account_role_uuid']

const statements = [
  'alter table listed_person add column account_role_uuid uuid',
  `update listed_person l
    set account_role_uuid = au.role_uuid
    from account_user au
    where au.user_uuid = l.user_uuid
      and au.account_uuid = coalesce((select g.account_uuid from app_group g where g.uuid = l.place_uuid), l.place_uuid)`,
  keeper(
    'list_changed_person',
    'declare who uuid := new.uuid;',
    `${lockAccountsOfPerson} ${write(due('au.user_uuid = who', 'gu.user_uuid = who'))}`,
  ),
  keeper(
    'list_changed_member',
    `declare
      who uuid := coalesce(new.user_uuid, old.user_uuid);
      account uuid := coalesce(new.account_uuid, old.account_uuid);`,
    `${lockAccountsOfPerson} ${follow(
      'l.place_uuid = account or l.place_uuid in (select g.uuid from app_group g where g.account_uuid = account)',
      due('au.user_uuid = who and au.account_uuid = account', 'gu.user_uuid = who and g.account_uuid = account'),
    )}`,
  ),
  keeper(
    'list_changed_group_member',
    `declare
      who uuid := coalesce(new.user_uuid, old.user_uuid);
      place uuid := coalesce(new.group_uuid, old.group_uuid);`,
    follow('l.place_uuid = place', due('false', 'gu.user_uuid = who and gu.group_uuid = place')),
  ),
  'drop index listed_person_by_name',
  'drop index listed_person_by_first',
  'drop index listed_person_by_last',
  'drop index listed_person_by_email',
  'drop index listed_person_by_role',
  index('listed_person_by_name', ['place_uuid', 'name', 'user_uuid'], unasked),
  index('listed_person_by_first', ['place_uuid', 'first', 'name', 'user_uuid'], unasked),
  index('listed_person_by_last', ['place_uuid', 'last', 'name', 'user_uuid'], unasked),
  index('listed_person_by_email', ['place_uuid', 'email', 'user_uuid'], unasked),
  index('listed_person_by_role', ['role_uuid', 'name', 'user_uuid', 'place_type', 'place_uuid'], ofRole),
  index('listed_person_by_role_and_email', ['role_uuid', 'email', 'user_uuid', 'place_type', 'place_uuid'], ofRole),
]
