import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ChosenEvent, wantsHarvest } from '../user/event-choice.sql.ts'
import { type ListSql, pageWithTotal } from '../list-page.sql.ts'
import { countPeople, listedPersonColumns, pageOfPeople } from '../listed-people.sql.ts'

interface GroupMemberRow {
  user_id: string
  user_name: string
  user_email: string
  disabled: boolean
  role_id: string
  role_name: string
  held_role_id: string
  held_role_name: string
  event_share: 0 | 1
  event_harvest: 0 | 1
  event_approve: 0 | 1
  /** Of all rows of a list. */
  total?: number
}

const name = sql`coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email)`

/** Filters and sorts of the list; what roles hold by default is looked up for each member where it is asked for. */
export const groupMemberColumns: FilterColumns = {
  ...listedPersonColumns,
  role_name: {
    kind: 'text',
    column: sql`(
      select held.name
      from app_group g
      join account_user au on au.account_uuid = g.account_uuid and au.user_uuid = l.user_uuid
      join role held on held.uuid = coalesce(l.role_uuid, g.default_role_uuid, au.role_uuid)
      where g.uuid = l.place_uuid
    )`,
  },
}

/** The people of a group or location. */
export async function listGroupMembers(db: Db, groupUuid: string, list: ListSql): Promise<GroupMemberRow[]> {
  return pageWithTotal(readPage(db, groupUuid, list), countPeople(db, sql`l.place_uuid = ${groupUuid}`, list))
}

async function readPage(db: Db, groupUuid: string, list: ListSql): Promise<GroupMemberRow[]> {
  const { rows } = await sql<GroupMemberRow>`
    select u.uuid as user_id, ${name} as user_name, u.email as user_email, u.disabled or au.disabled as disabled,
      coalesce(own.uuid::text, '') as role_id, coalesce(own.name, '') as role_name,
      held.uuid as held_role_id, held.name as held_role_name,
      ${isChosen('event_share')}::integer as event_share,
      ${wantsHarvest(sql`u.uuid`, sql`g.namespace_uuid`)}::integer as event_harvest,
      ${isChosen('event_approve')}::integer as event_approve
    from unnest(${pageOfPeople(sql`l.place_uuid = ${groupUuid}`, list)}) with ordinality as page (user_uuid, place)
    join group_user gu on gu.group_uuid = ${groupUuid} and gu.user_uuid = page.user_uuid
    ${joined}
    order by page.place
  `.execute(db)
  return rows
}

/** Whether the person chose to be mailed of an event in the group. */
const isChosen = (event: ChosenEvent): RawBuilder<boolean> => sql`exists (
  select
  from event_choice c
  where c.user_uuid = u.uuid and c.namespace_uuid = g.namespace_uuid and c.event = ${event} and c.is_on
)`

const joined = sql`join app_group g on g.uuid = gu.group_uuid
    join app_user u on u.uuid = gu.user_uuid
    join account_user au on au.account_uuid = g.account_uuid and au.user_uuid = gu.user_uuid
    left join role own on own.uuid = gu.role_uuid
    join role held on held.uuid = coalesce(gu.role_uuid, g.default_role_uuid, au.role_uuid)`

interface HeldInGroup {
  /** A role of the person's own in the group. */
  role_uuid: string | null
  /** Of the role that holds there. */
  permissions: string[]
  field_flags: string | null
}

/** Roles that people other than this one hold in a group by its default, or by their role in the account where it has none. */
export async function listRolesByDefault(
  db: Db,
  groupUuid: string,
  exceptUser: string,
): Promise<Pick<HeldInGroup, 'permissions' | 'field_flags'>[]> {
  const { rows } = await sql<Pick<HeldInGroup, 'permissions' | 'field_flags'>>`
    select r.permissions,
      (
        select s.value
        from setting s
        where s.scope = 'role' and s.scope_uuid = r.uuid and s.key = 'study_field_flags'
      ) as field_flags
    from role r
    where r.uuid in (
      select held.uuid
      from group_user gu
      ${joined}
      where gu.group_uuid = ${groupUuid} and gu.role_uuid is null and gu.user_uuid <> ${exceptUser}
    )
    order by r.uuid
  `.execute(db)
  return rows
}

/** The permissions of a member in a group; undefined for somebody who does not belong to it. */
export async function findHeldInGroup(db: Db, groupUuid: string, userUuid: string): Promise<HeldInGroup | undefined> {
  const { rows } = await sql<HeldInGroup>`
    select gu.role_uuid, held.permissions,
      (
        select s.value
        from setting s
        where s.scope = 'role' and s.scope_uuid = held.uuid and s.key = 'study_field_flags'
      ) as field_flags
    from group_user gu
    ${joined}
    where gu.group_uuid = ${groupUuid} and gu.user_uuid = ${userUuid}
  `.execute(db)
  return rows[0]
}

/** Whether a person belongs to an account. */
export async function isOfAccount(db: Db, accountUuid: string, userUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select from account_user au where au.account_uuid = ${accountUuid} and au.user_uuid = ${userUuid}
  `.execute(db)
  return rows.length > 0
}
