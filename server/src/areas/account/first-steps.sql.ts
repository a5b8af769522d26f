import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

interface SetUpFigures {
  name: string
  /** Whether the reader has a name. */
  is_named: boolean
  people: number
  invited: number
  groups: number
  unattended: string[]
}

/** Whether account and reader have names, and how many people and groups there are. */
export async function findSetUpFigures(
  db: Db,
  accountUuid: string,
  readerUuid: string,
): Promise<SetUpFigures | undefined> {
  const { rows } = await sql<SetUpFigures>`
    select a.name,
      exists (select from app_user u where u.uuid = ${readerUuid} and trim(u.first_name || u.last_name) <> '') as is_named,
      (
        select count(*)::int
        from account_user au
        join app_user u on u.uuid = au.user_uuid and not u.disabled
        where au.account_uuid = a.uuid and not au.disabled
      ) as people,
      (
        select count(*)::int
        from account_user au
        join app_user u on u.uuid = au.user_uuid and not u.disabled
        where au.account_uuid = a.uuid and not au.disabled and u.last_login is null
      ) as invited,
      (select count(*)::int from app_group g where g.account_uuid = a.uuid) as groups,
      array(
        select g.name
        from app_group g
        where g.account_uuid = a.uuid and not exists (select from group_user gu where gu.group_uuid = g.uuid)
        order by g.name, g.uuid
        limit 10
      ) as unattended
    from account a
    where a.uuid = ${accountUuid}
  `.execute(db)
  return rows[0]
}

interface CalledGroup {
  group_name: string
  ae_title: string
  /** As kept. */
  peers: string | null
}

/** Groups of an account that have an AE title, with those that may send to them. @param keys of the settings */
export async function listCalledGroups(
  db: Db,
  accountUuid: string,
  keys: { title: string; peers: string },
): Promise<CalledGroup[]> {
  const { rows } = await sql<CalledGroup>`
    select g.name as group_name, title.value as ae_title, peers.value as peers
    from app_group g
    join setting title
      on title.scope = 'namespace' and title.scope_uuid = g.namespace_uuid and title.key = ${keys.title}
    left join setting peers
      on peers.scope = 'namespace' and peers.scope_uuid = g.namespace_uuid and peers.key = ${keys.peers}
    where g.account_uuid = ${accountUuid} and title.value <> ''
    order by peers.value is null, g.name, g.uuid
    limit 10
  `.execute(db)
  return rows
}

interface ArrivedStudy {
  group_id: string
  place_name: string
  arrived: string
  source: string
  ae_title: string
}

/** A study with images in a group or location of the account: of the first place that has one, the oldest. */
export async function findArrivedStudy(db: Db, accountUuid: string): Promise<ArrivedStudy | undefined> {
  const { rows } = await sql<ArrivedStudy>`
    select n.owner_uuid as group_id, n.name as place_name, s.source, s.source_ae_title as ae_title,
      to_char(s.created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as arrived
    from namespace n
    cross join lateral (
      select created, source, source_ae_title
      from study
      where phi_namespace = n.uuid and deleted_at is null and arrival <> 'announced'
      order by created, uuid
      limit 1
    ) s
    where n.account_uuid = ${accountUuid} and n.kind in ('group', 'location') and n.gone_at is null
    order by n.kind = 'group' desc, s.created, n.uuid
    limit 1
  `.execute(db)
  return rows[0]
}

interface MailTest {
  recipient: string
  is_sent: boolean
  last_error: string | null
}

/** The last mail of an account that has this subject. */
export async function findLastMail(db: Db, accountUuid: string, subject: string): Promise<MailTest | undefined> {
  const { rows } = await sql<MailTest>`
    select recipient, sent_at is not null as is_sent, last_error
    from mail
    where account_uuid = ${accountUuid} and subject = ${subject}
    order by created desc, uuid
    limit 1
  `.execute(db)
  return rows[0]
}
