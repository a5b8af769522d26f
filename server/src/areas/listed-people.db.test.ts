import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeOrganisation, type Person } from '../../test/make-organisation.ts'
import { startTestApp } from '../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const place = await makeOrganisation(services.db)
const reader = await place.addPerson({ role: 'Administrator' })
const ward = await place.addGroup({ name: 'Ward' })
const other = await place.addGroup({ name: 'Other ward' })

const ask = async (path: string, sent: object) => (await call(path, { sid: reader.sid, ...sent })).body
const people = (sent: object) => ask('account/user/list', { uuid: place.accountUuid, ...sent })
const rowsOf = (person: Person) =>
  query<Record<string, unknown>>(
    `select place_type, name, first, last, email, disabled, role_uuid from listed_person
    where user_uuid = '${person.userUuid}' order by place_type, place_uuid`,
  )

describe('the narrow rows of people', () => {
  it('follow names, states, roles and memberships, whoever changes them', async () => {
    const person = await place.addPerson({ groups: [ward] })
    await query(`update app_user set first_name = 'Änne', last_name = 'Öz' where uuid = '${person.userUuid}'`)
    const kept = { name: 'änne öz', first: 'änne', last: 'öz', email: person.email.toLowerCase(), disabled: false }
    const [inAccount, inGroup] = await rowsOf(person)
    expect(inAccount).toMatchObject({ ...kept, place_type: 'account' })
    expect(inGroup).toMatchObject({ ...kept, place_type: 'group', role_uuid: null })
    const role = place.roles.get('Viewer') ?? ''
    await query(`update group_user set role_uuid = '${role}' where user_uuid = '${person.userUuid}'`)
    await query(`update account_user set disabled = true where user_uuid = '${person.userUuid}'`)
    expect(await rowsOf(person)).toMatchObject([{ disabled: true }, { disabled: true, role_uuid: role }])
    await query(`insert into group_user (group_uuid, user_uuid) values ('${other.groupUuid}', '${person.userUuid}')`)
    expect(await rowsOf(person)).toHaveLength(3)
    await query(`delete from account_user where user_uuid = '${person.userUuid}'`)
    expect(await rowsOf(person)).toEqual([])
  })

  it('know the last sign-in in accounts alone', async () => {
    const person = await place.addPerson({ groups: [ward] })
    const signedIn = () =>
      query(`select place_type, last_login > '-infinity' as has from listed_person
        where user_uuid = '${person.userUuid}' order by place_type`)
    await query(`update app_user set last_login = now() where uuid = '${person.userUuid}'`)
    expect(await signedIn()).toEqual([
      { place_type: 'account', has: true },
      { place_type: 'group', has: false },
    ])
  })

  it('hold up no two acts that lock a person and a membership the other way round', async () => {
    const person = await place.addPerson()
    const rename = `update app_user set last_name = 'Renamed' || random() where uuid = '${person.userUuid}'`
    const leave = `delete from account_user where user_uuid = '${person.userUuid}'`
    const change = `update app_user set last_name = 'Last' where uuid = '${person.userUuid}'`
    const join = `insert into account_user (account_uuid, user_uuid, role_uuid)
      values ('${place.accountUuid}', '${person.userUuid}', '${place.roles.get('Viewer')}')`
    const renames = async () => {
      for (let number = 0; number < 20; number++) await query(rename)
    }
    const returns = async () => {
      for (let number = 0; number < 20; number++) {
        await services.db.transaction().execute(async (tx) => {
          for (const statement of [leave, change, join]) await sql.raw(statement).execute(tx)
        })
      }
    }
    await Promise.all([renames(), returns()])
    await query(change)
    expect(await rowsOf(person)).toMatchObject([{ last: 'last' }])
  })
})

describe('the narrow rows of people, and those who wait for each other', () => {
  const rename = (person: Person, name: string) =>
    query(`update app_user set last_name = '${name}' where uuid = '${person.userUuid}'`)
  const signIn = (person: Person) =>
    query(`update app_user set last_login = clock_timestamp() where uuid = '${person.userUuid}'`)
  const whileLocked = (act: () => Promise<unknown>) =>
    services.db.transaction().execute(async (tx) => {
      await sql`update rights_epoch set epoch = gen_random_uuid()`.execute(tx)
      await act()
    })
  const isSortedBySignIn = async (person: Person) => {
    const rows = await query<{ is_same: boolean }>(`
      select l.last_login = u.last_login as is_same from listed_person l join app_user u on u.uuid = l.user_uuid
      where u.uuid = '${person.userUuid}' and l.place_type = 'account'`)
    expect(rows.map((row) => row.is_same)).not.toContain(false)
    return rows.length
  }

  it('let people sign in while somebody’s change of rights is not at its end', async () => {
    const person = await place.addPerson()
    await whileLocked(() => signIn(person))
    expect(await isSortedBySignIn(person)).toBe(1)
  })

  it('let no change wait at its end without a bound', async () => {
    const person = await place.addPerson()
    const unbounded = await query(`
      select proname from pg_proc
      where prosrc ~ 'rights_epoch|listed_person' and not coalesce(proconfig, '{}') @> array['lock_timeout=10s']`)
    expect(unbounded).toEqual([])
    const bound = (time: string) => query(`alter function list_changed_person() set lock_timeout = '${time}'`)
    await bound('50ms')
    await whileLocked(() => expect(rename(person, 'Late')).rejects.toThrow('lock timeout'))
    await bound('10s')
    expect(await rowsOf(person)).not.toMatchObject([{ last: 'late' }])
  })

  it('end no sign-in and no change of the same person’s places by a deadlock', async () => {
    const person = await place.addPerson()
    const others = [await makeOrganisation(services.db), await makeOrganisation(services.db)]
    const accounts = [place, ...others].map((one) => one.accountUuid).toSorted()
    for (const { accountUuid, roles } of others) {
      await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
        values ('${accountUuid}', '${person.userUuid}', '${roles.get('Viewer')}')`)
    }
    const signIns = async () => {
      for (let number = 0; number < 60; number++) await signIn(person)
    }
    const changes = async () => {
      for (let number = 0; number < 60; number++) {
        await services.db.transaction().execute(async (tx) => {
          for (const account of number % 2 === 0 ? accounts : accounts.toReversed()) {
            await sql`update account_user set account_login = ${`login ${number}`}
              where user_uuid = ${person.userUuid} and account_uuid = ${account}`.execute(tx)
          }
        })
      }
    }
    await Promise.all([signIns(), changes(), signIns()])
    expect(await isSortedBySignIn(person)).toBe(3)
  })

  it('are gone with the memberships of a whole group, and of all, at once and by whatever way', async () => {
    const group = await place.addGroup()
    const [person, leaver] = [await place.addPerson({ groups: [group] }), await place.addPerson({ groups: [group] })]
    const [member] = await rowsOf(leaver)
    await query(`delete from account_user where user_uuid = '${leaver.userUuid}'`)
    await query(`delete from group_user where group_uuid = '${group.groupUuid}'`)
    expect([await rowsOf(person), await rowsOf(leaver)]).toMatchObject([[{ place_type: 'account' }], []])
    await services.db.transaction().execute(async (tx) => {
      // as replication and some restores write
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`insert into account_user (account_uuid, user_uuid, role_uuid)
        values (${place.accountUuid}, ${leaver.userUuid}, ${member?.['role_uuid']})`.execute(tx)
    })
    expect(await rowsOf(leaver)).toEqual([member])
    const counts = async (table: string) => {
      const tx = await services.db.startTransaction().execute()
      await sql.raw(`truncate ${table} cascade`).execute(tx)
      const { rows } = await sql<{ accounts: boolean; groups: boolean }>`
        select coalesce(bool_or(place_type = 'account'), false) as accounts,
          coalesce(bool_or(place_type <> 'account'), false) as groups
        from listed_person`.execute(tx)
      await tx.rollback().execute()
      return rows
    }
    expect(await counts('group_user')).toEqual([{ accounts: true, groups: false }])
    expect(await counts('app_user')).toEqual([{ accounts: false, groups: false }])
  })
})

describe('[ADMIN-USERS-05] pages of people', () => {
  const named = [
    ['bo', 'Ash', 'Viewer'],
    ['Yda', 'Birk', 'Staff'],
    ['yda', 'Birk', 'Viewer'],
    ['Cem', 'Cole', 'Staff'],
    ['', '', 'Uploader'],
  ] as const
  const made: string[] = []
  beforeAll(async () => {
    for (const [first, last, role] of named) {
      const person = await place.addPerson({ role, groups: [ward] })
      await query(
        `update app_user set first_name = '${first}', last_name = '${last}' where uuid = '${person.userUuid}'`,
      )
      made.push(person.userUuid)
    }
  })
  const sorts = ['user_name', 'user.first', 'user.last', 'user_email', 'last_login', 'role_name']
  const sortKeys: Record<string, string> = {
    user_name: `lower(coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email))`,
    'user.first': 'lower(u.first_name)',
    'user.last': 'lower(u.last_name)',
    user_email: 'lower(u.email)',
    last_login: `coalesce(u.last_login, '-infinity')`,
    role_name: 'lower(r.name)',
  }

  it.each(sorts.flatMap((sort) => [`${sort}-asc`, `${sort}-desc`]))('come one after the other by %s', async (sort) => {
    const [field = '', direction = ''] = sort.split('-')
    const wanted = await query<{ key: string; uuid: string }>(`
      select ${sortKeys[field]}::text as key, u.uuid
      from account_user au join app_user u on u.uuid = au.user_uuid join role r on r.uuid = au.role_uuid
      where au.account_uuid = '${place.accountUuid}'
      order by ${sortKeys[field]} ${direction}, ${sortKeys['user_name']}, u.uuid`)
    const keyOf = new Map(wanted.map(({ uuid, key }) => [uuid, key]))
    const found: string[] = []
    for (let number = 1; number <= Math.ceil(wanted.length / 2); number++) {
      const { users, page } = await people({ sort_by: sort, 'page.rows': 2, 'page.number': number })
      expect(page).toMatchObject({ total: wanted.length, more: number * 2 < wanted.length ? 1 : 0 })
      found.push(...users.map((one: { user_id: string }) => one.user_id))
    }
    expect(found.map((uuid) => keyOf.get(uuid))).toEqual(wanted.map(({ key }) => key))
    expect(new Set(found).size).toBe(wanted.length)
  })

  it.each([
    [{ 'filter.user.first.like': 'YDA%' }, 2],
    [{ 'filter.user_name.like': '%da bir%' }, 2],
    [{ 'filter.role_name.equals': 'staff', 'filter.user.last.like': 'b%' }, 1],
    [{ 'filter.role_name.in': ['Staff', 'Uploader'] }, 3],
  ])('are narrowed by %j, with the number of all', async (filters, count) => {
    const { users, page } = await people({ ...filters, 'page.rows': 1 })
    const all = (await people(filters)).users.length
    expect(users).toHaveLength(1)
    expect(page.total).toBe(all)
    expect(all).toBe(count)
  })

  it('of a group and of a role are in the order of names, too', async () => {
    const inGroup = await ask('group/user/list', { uuid: ward.groupUuid, 'page.rows': 2, 'page.number': 2 })
    const whole = await ask('group/user/list', { uuid: ward.groupUuid })
    expect(inGroup.users).toEqual(whole.users.slice(2, 4))
    expect(inGroup.page.total).toBe(whole.users.length)
    const role = place.roles.get('Staff') ?? ''
    await query(`update group_user set role_uuid = '${role}' where user_uuid = '${made[0]}'`)
    const having = await ask('role/user/list', { uuid: role, 'page.rows': 2, 'page.number': 1 })
    expect(having.page).toMatchObject({ total: 3, more: 1 })
    expect(
      having.users.map((one: { user_name: string; place_type: string }) => [one.user_name, one.place_type]),
    ).toEqual([
      ['bo Ash', 'group'],
      ['Cem Cole', 'account'],
    ])
    const byPlace = await ask('role/user/list', { uuid: role, sort_by: 'place_name-desc' })
    expect(byPlace.users[0]).toMatchObject({ place_name: 'Ward' })
  })

  it('of a role are listed place by place, over pages and from either end', async () => {
    const role = place.roles.get('Staff') ?? ''
    const inPlaces = (sent: object) => ask('role/user/list', { uuid: role, ...sent })
    const { users: all } = await inPlaces({ sort_by: 'user_email-asc' })
    const byName = (one: { place_name: string; user_name: string }) =>
      `${one.place_name.toLowerCase()} ${one.user_name.toLowerCase()}`
    const wanted = all.map(byName).toSorted()
    expect(new Set(all.map((one: { place_name: string }) => one.place_name)).size).toBe(2)
    const read = async (sort_by: string) => {
      const pages = await Promise.all(
        all.map((_: unknown, at: number) => inPlaces({ sort_by, 'page.rows': 1, 'page.number': at + 1 })),
      )
      return pages.flatMap(({ users }) => users.map(byName))
    }
    expect(await read('place_name-asc,user_name-asc')).toEqual(wanted)
    expect(await read('place_name-desc,user_name-desc')).toEqual(wanted.toReversed())
    expect((await inPlaces({ 'filter.place_name.like': 'war%' })).users).toHaveLength(1)
  })

  it('of a group are listed by the role that holds there: an own one, the default of the group or the one in the account', async () => {
    const members = (sent: object = {}) => ask('group/user/list', { uuid: ward.groupUuid, ...sent })
    const heldBy = (users: { user_id: string; held_role_name: string }[]) =>
      users.map((one) => one.held_role_name.toLowerCase())
    const check = async () => {
      const { users: all } = await members()
      const wanted = heldBy(all).toSorted()
      const pages = await Promise.all(
        wanted.map((_, at) => members({ sort_by: 'role_name-asc', 'page.rows': 1, 'page.number': at + 1 })),
      )
      expect(heldBy(pages.flatMap(({ users }) => users))).toEqual(wanted)
      for (const name of new Set(wanted)) {
        const { users, page } = await members({ 'filter.role_name.equals': name })
        expect(heldBy(users)).toEqual(wanted.filter((one) => one === name))
        expect(page.total).toBe(users.length)
      }
      return wanted
    }
    const before = await check()
    expect(new Set(before).size).toBeGreaterThan(1)
    const uploader = place.roles.get('Uploader')
    await query(`update account_user set role_uuid = '${uploader}' where user_uuid = '${made[1]}'`)
    expect(await check()).not.toEqual(before)
    await query(`update app_group set default_role_uuid = '${uploader}' where uuid = '${ward.groupUuid}'`)
    const held = await check()
    expect(held.filter((one) => one === 'uploader').length).toBeGreaterThanOrEqual(held.length - 1)
    await query(`update app_group set default_role_uuid = null where uuid = '${ward.groupUuid}'`)
  })
})
