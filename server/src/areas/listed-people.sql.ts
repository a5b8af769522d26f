import type { SortTerm } from '@hilum/contract/list'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { FilterColumns } from '../db/filter-sql.ts'
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
