import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ChosenEvent, wantsHarvest } from '../user/event-choice.sql.ts'
import { type ListSql, pageWithTotal } from '../list-page.sql.ts'
import {
  byRoleName,
  countPeople,
  listedPersonColumns,
  listedPersonFilters,
  ofRolesNamed,
  pageOfParts,
  pageOfPeople,
  type PartsAsked,
  partsOfPage,
} from '../listed-people.sql.ts'

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

/** The role that holds for a member `l` of this group: the own one there, the group's default, or the one in the account. */
const heldRole = (groupUuid: string) =>
  sql`coalesce(l.role_uuid, (select g.default_role_uuid from app_group g where g.uuid = ${groupUuid}), l.account_role_uuid)`

/** Filters of the list; by roles it is sorted role by role. */
export function groupMemberColumns(groupUuid: string): FilterColumns {
  return {
    ...listedPersonFilters,
    role_name: (term, zone) => ofRolesNamed(heldRole(groupUuid), term, zone),
  }
}

export const groupMemberSorts = (groupUuid: string): FilterColumns => ({
  ...listedPersonColumns,
  ...byRoleName(heldRole(groupUuid)),
})

/** The people of a group or location. */
export async function listGroupMembers(db: Db, groupUuid: string, list: ListSql): Promise<GroupMemberRow[]> {
  const ofGroup = sql`l.place_uuid = ${groupUuid}`
  return pageWithTotal(readPage(db, groupUuid, pageOfPeople(ofGroup, list)), countPeople(db, ofGroup, list))
}

/** The people of a group by the role that holds for each there; within a role the order is the list's. */
export async function listGroupMembersByRole(
  db: Db,
  groupUuid: string,
  list: ListSql,
  asked: PartsAsked,
): Promise<GroupMemberRow[]> {
  const ofGroup = {
    within: sql`l.place_uuid = ${groupUuid}`,
    part: heldRole(groupUuid),
    named: 'roles' as const,
  }
  const { parts, total } = await partsOfPage(db, ofGroup, list, asked)
  return pageWithTotal(readPage(db, groupUuid, pageOfParts(parts, list)), Promise.resolve(total))
}

async function readPage(db: Db, groupUuid: string, page: RawBuilder<string[]>): Promise<GroupMemberRow[]> {
  const { rows } = await sql<GroupMemberRow>`
    select u.uuid as user_id, ${name} as user_name, u.email as user_email, u.disabled or au.disabled as disabled,
      coalesce(own.uuid::text, '') as role_id, coalesce(own.name, '') as role_name,
      held.uuid as held_role_id, held.name as held_role_name,
      ${isChosen('event_share')}::integer as event_share,
      ${wantsHarvest(sql`u.uuid`, sql`g.namespace_uuid`)}::integer as event_harvest,
      ${isChosen('event_approve')}::integer as event_approve
    from unnest(${page}) with ordinality as page (user_uuid, place)
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
