import type { FilterTerm, ListQuery, SortTerm } from '@hilum/contract/list'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { type FilterColumns, filterSql } from '../db/filter-sql.ts'
import type { ListSql } from './list-page.sql.ts'

/**
 * Columns of the narrow rows `l` of `listed_person`, one for each person and place, which the database keeps beside people and
 * memberships (migration 0193, docs/decisions/0124). A page of a long list is found among them, and only its people are read.
 */
export const listedPersonColumns = {
  user_id: { kind: 'uuid', column: sql`l.user_uuid` },
  user_name: { kind: 'text', column: sql`l.name`, isFolded: true },
  'user.first': { kind: 'text', column: sql`l.first`, isFolded: true },
  'user.last': { kind: 'text', column: sql`l.last`, isFolded: true },
  user_email: { kind: 'text', column: sql`l.email`, isFolded: true },
  role_id: { kind: 'uuid', column: sql`l.role_uuid` },
} satisfies FilterColumns

/** Two letters somewhere: the indexes by parts of names and addresses know of three at least, and would go through all. */
const isTooShort = /^%[\p{L}\p{N}]{1,2}%$/u

/** A text with an index by its parts, which is left alone where the part that is looked for is too short for it. */
const byParts =
  (field: 'user_name' | 'user_email') =>
  (term: FilterTerm, zone: string): RawBuilder<unknown> => {
    const { column } = listedPersonColumns[field]
    const isShort = term.condition === 'like' && isTooShort.test(String(term.value))
    const compared = isShort ? sql`(${column} || '')` : column
    return filterSql([term], { [field]: { kind: 'text', column: compared, isFolded: true } }, zone)
  }

/** As `listedPersonColumns`, for filters alone. */
export const listedPersonFilters = {
  ...listedPersonColumns,
  user_name: byParts('user_name'),
  user_email: byParts('user_email'),
} satisfies FilterColumns

/** The order after what was asked for, as indexes have it: by name, from its end where first or last names come from theirs. */
export function orderOfPeople([first]: readonly SortTerm[]): RawBuilder<unknown> {
  const isUnique = first?.field === 'user_name' || first?.field === 'user_email'
  if (isUnique) return first.descending ? sql`l.user_uuid desc` : sql`l.user_uuid`
  const isByPart = first?.field === 'user.first' || first?.field === 'user.last'
  return isByPart && first.descending ? sql`l.name desc, l.user_uuid desc` : sql`l.name, l.user_uuid`
}

/** The uuids of a page of people, as an array in their order: to be unnested `with ordinality`. */
export function pageOfPeople(place: RawBuilder<unknown>, list: ListSql): RawBuilder<string[]> {
  return sql`array(
    select l.user_uuid
    from listed_person l
    where ${place}
      and ${list.where}
    order by ${list.orderBy}
    limit ${list.limit}
  )`
}

/** The number of all rows of a list, of a place or of a role as the condition says. */
export async function countPeople(db: Db, within: RawBuilder<unknown>, list: ListSql): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total
    from listed_person l
    where ${within}
      and ${list.where}
  `.execute(db)
  return rows[0]?.total ?? 0
}

const roleName: FilterColumns = { role_name: { kind: 'text', column: sql`r.name` } }

/** The condition on the name of the role that this expression gives: names are compared once for each role, not for each person. */
export function ofRolesNamed(role: RawBuilder<unknown>, term: FilterTerm, zone: string): RawBuilder<unknown> {
  return sql`${role} in (select r.uuid from role r where ${filterSql([term], roleName, zone)})`
}

/** The sort by the name of this role where others come before: looked up for each person. */
export const byRoleName = (role: RawBuilder<unknown>) =>
  ({
    role_name: { kind: 'text', column: sql`(select r.name from role r where r.uuid = ${role})` },
  }) satisfies FilterColumns

/** The order within parts, and the parts where the list is sorted by this field first: the name of each row's role or place. */
export function byPart(field: string, { sort, page }: ListQuery): { sort: SortTerm[]; parts: PartsAsked | undefined } {
  const [first, ...others] = sort
  if (first?.field !== field) return { sort: [...sort], parts: undefined }
  return { sort: others.filter((term) => term.field !== field), parts: { ...page, isDescending: first.descending } }
}

/** Accounts, groups and locations with their names. */
export const placesWithNames = sql`select a.uuid, a.name from account a union all select g.uuid, g.name from app_group g`

/** Where a list is asked for part by part: its page, and whether the parts come in the order of their names from the end. */
export interface PartsAsked {
  number: number
  rows: number
  isDescending: boolean
}

interface PagePart {
  condition: RawBuilder<unknown>
  limit: RawBuilder<unknown>
}

/**
 * The parts that a page touches, as of a list sorted by the names of roles or places: the rows do not hold those, and the
 * count of each part says how many of its people the page skips and takes. Within a part the order is the list's.
 * @param part the role or place of which each row is a part
 */
export async function partsOfPage(
  db: Db,
  { within, part, named }: { within: RawBuilder<unknown>; part: RawBuilder<unknown>; named: 'roles' | 'places' },
  list: ListSql,
  { number, rows: rowsOfPage, isDescending }: PartsAsked,
): Promise<{ parts: PagePart[]; total: number }> {
  const { rows: counts } = await sql<{ uuid: string; people: number }>`
    select n.uuid, c.people
    from (
      select ${part}::uuid as uuid, count(*)::integer as people
      from listed_person l
      where ${within}
        and ${list.where}
      group by 1
    ) c
    join (${named === 'roles' ? sql`select r.uuid, r.name from role r` : placesWithNames}) n on n.uuid = c.uuid
    order by lower(n.name), n.uuid
  `.execute(db)
  const parts: PagePart[] = []
  let [skip, wanted] = [(number - 1) * rowsOfPage, rowsOfPage + 1]
  for (const { uuid, people } of isDescending ? counts.toReversed() : counts) {
    const taken = Math.min(wanted, people - skip)
    if (taken > 0) {
      parts.push({ condition: sql`${part} = ${uuid} and ${within}`, limit: sql`${taken} offset ${skip}` })
      wanted -= taken
    }
    skip = Math.max(0, skip - people)
  }
  return { parts, total: counts.reduce((sum, { people }) => sum + people, 0) }
}

/** The uuids of a page of people that these parts make, as `pageOfPeople`. */
export function pageOfParts(parts: readonly PagePart[], list: ListSql): RawBuilder<string[]> {
  const pages = parts.map(({ condition, limit }) => pageOfPeople(condition, { ...list, limit }))
  return sql`${sql.join([sql`array[]::uuid[]`, ...pages], sql` || `)}`
}
