import { accountUserAdd, accountUserList } from '@hilum/contract/calls/account-user'
import { groupUserList } from '@hilum/contract/calls/group'
import { roleUserList } from '@hilum/contract/calls/role'
import type { FieldKind, ListQuery, ListRules, SortTerm } from '@hilum/contract/list'
import { type RawBuilder, sql } from 'kysely'
import { expect, it } from 'vitest'
import { makeOrganisation } from '../../test/make-organisation.ts'
import { startTestApp } from '../../test/test-app.ts'
import { accountUserColumns, accountUserSorts } from './account/account-user.sql.ts'
import { groupMemberColumns, groupMemberSorts } from './group/group-member.sql.ts'
import { listSql } from './list-page.sql.ts'
import { orderOfPeople, pageOfPeople } from './listed-people.sql.ts'
import { orderOfRolePeople, rolePersonColumns, rolePersonSorts } from './role/role.sql.ts'

/*
 * Of a few people all are read and sorted, whatever indexes there are. With that forbidden, a plan that still sorts them or
 * reads the rows themselves has no index with the order and with what is looked for, and would be slow on a hundred thousand.
 */
const { services, call } = await startTestApp()
const { db } = services
const place = await makeOrganisation(db)
await sql`
  insert into app_user (uuid, email, email_folded, first_name, last_name, password_hash, namespace_uuid)
  select gen_random_uuid(), 'p' || n || '@hospital.example', 'p' || n || '@hospital.example', 'First' || n % 9, 'Last' || n, '',
    gen_random_uuid()
  from generate_series(1, 800) as n
`.execute(db)
await sql`
  insert into account_user (account_uuid, user_uuid, role_uuid)
  select ${place.accountUuid}, u.uuid, ${place.roles.get('Viewer')}
  from app_user u
  where u.email like 'p%@hospital.example'
`.execute(db)
await sql`vacuum analyze listed_person`.execute(db)

const values: Partial<Record<FieldKind, ListQuery['filters'][number]>> = {
  text: { field: '', condition: 'like', value: '%li%', expression: '' },
  uuid: { field: '', condition: 'not_equals', value: place.accountUuid, expression: '' },
  flag: { field: '', condition: 'equals', value: '0', expression: '' },
  stamp: { field: '', condition: 'le', value: '2030-01-01', expression: '' },
}
type Columns = typeof accountUserColumns
type Order = (sort: readonly SortTerm[]) => RawBuilder<unknown>
const { accountUuid } = place
const ofPlace = sql`l.place_uuid = ${accountUuid}`
const ofRole = sql`l.role_uuid = ${place.roles.get('Viewer')}`
const lists: [string, ListRules, Columns, Columns, RawBuilder<unknown>, Order][] = [
  ['an account', accountUserList.list, accountUserColumns, accountUserSorts, ofPlace, orderOfPeople],
  [
    'a group',
    groupUserList.list,
    groupMemberColumns(accountUuid),
    groupMemberSorts(accountUuid),
    ofPlace,
    orderOfPeople,
  ],
  ['a role', roleUserList.list, rolePersonColumns, rolePersonSorts, ofRole, orderOfRolePeople],
]
// roles and places have names, which stand in no row: people are listed role by role and place by place
const isOfRow = (field: string) => field !== 'role_name' && field !== 'place_name'
const questions = lists.flatMap(([of, { filters, sorts }, columns, sortedBy, within, orderOf]) =>
  sorts
    .filter(isOfRow)
    .flatMap((sort) =>
      [false, true].flatMap((descending) =>
        [['nothing', 'text'] as const, ...Object.entries(filters).filter(([field]) => isOfRow(field))].map(
          ([field, kind]) => ({ of, columns, sortedBy, within, orderOf, sort, descending, field, kind }),
        ),
      ),
    ),
)

it.each(questions)(
  'people of $of by $sort, descending $descending, found by $field, are read from one index in its order',
  async ({ columns, sortedBy, within, orderOf, sort, descending, field, kind }) => {
    const term = values[kind]
    const filters = field === 'nothing' || !term ? [] : [{ ...term, field }]
    expect(filters).toHaveLength(field === 'nothing' ? 0 : 1)
    const order = [{ field: sort, descending }]
    const query = { filters, sort: order, page: { number: 9, rows: 10 } }
    const asked = listSql(query, columns, 'UTC', orderOf(order), sortedBy)
    const plan = await db.transaction().execute(async (tx) => {
      for (const kindOfPlan of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort'])
        await sql.raw(`set local enable_${kindOfPlan} = off`).execute(tx)
      const page = pageOfPeople(within, asked)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select ${page}`.execute(tx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    expect(plan).toMatch(/Index Only Scan (Backward )?using listed_person_by_/)
    expect(plan).not.toMatch(/Sort/)
  },
)

it.each([
  ['user_email', '%li%', false],
  ['user_name', '%li%', false],
  ['user_email', '%lic%', true],
])('people whose %s is like %s are looked for by its parts: %s', async (field, value, isByParts) => {
  const filters = [{ field, condition: 'like' as const, value, expression: '' }]
  const query = { filters, sort: [], page: { number: 1, rows: 10 } }
  const { where } = listSql(query, accountUserColumns, 'UTC', orderOfPeople([]))
  const plan = await db.transaction().execute(async (tx) => {
    for (const kindOfPlan of ['seqscan', 'indexscan', 'indexonlyscan'])
      await sql.raw(`set local enable_${kindOfPlan} = off`).execute(tx)
    const counted = sql<{ 'QUERY PLAN': string }>`explain select count(*) from listed_person l where ${where}`
    const { rows } = await counted.execute(tx)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(/listed_person_\w+_parts/.test(plan)).toBe(isByParts)
})

it('somebody with the longest name, address and login is listed', async () => {
  const admin = await place.addPerson({ role: 'Administrator' })
  // letters of three bytes each, in no order that could be written shorter
  const letters = (many: number, first: number) =>
    String.fromCodePoint(...Array.from({ length: many }, (_, at) => 0x4e00 + ((at * 7919 + first) % 20_000)))
  const [first, last] = [letters(100, 1), letters(100, 5000)]
  const email = `${letters(240, 9000)}@example.org`
  const sent = { uuid: place.accountUuid, email, first, last, account_login: letters(100, 12_000) }
  const { body } = await call(accountUserAdd.path, { sid: admin.sid, ...sent })
  expect(body).toMatchObject({ status: 'OK' })
  const found = { uuid: place.accountUuid, sid: admin.sid, 'filter.user.first.equals': first }
  const { body: listed } = await call(accountUserList.path, found)
  expect(listed.users).toMatchObject([{ user_email: email, last }])
})
