import { roleTemplates } from '@hilum/contract/roles'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { startAccess } from '../../test/access-fixture.ts'
import { recordingDatabase } from '../../test/recording-database.ts'
import type { Tx } from '../db/database.ts'
import type { Membership } from './caller.ts'
import { findCaller } from './find-caller.ts'
import { gatherMemberships } from './membership.sql.ts'

const { db, makePlace, run } = await startAccess()

async function remembered(sid: string): Promise<readonly Membership[] | undefined> {
  return (await findCaller(db, sid, ''))?.memberships()
}

/** In a transaction nothing is remembered. */
async function gathered(sid: string, within?: Tx): Promise<readonly Membership[] | undefined> {
  const look = async (tx: Tx) => (await findCaller(tx, sid, ''))?.memberships()
  return within ? look(within) : db.transaction().execute(look)
}

async function epoch(): Promise<string> {
  const { rows } = await sql<{ epoch: string }>`select epoch from rights_epoch`.execute(db)
  return rows[0]?.epoch ?? ''
}

describe('memberships that are remembered', () => {
  it('are gathered once while nobody’s rights change, for all sessions of a person', async () => {
    const { person } = await makePlace()
    const before = await remembered(person.sid)
    expect(before?.length).toBe(3)
    expect(await remembered(person.sid)).toBe(before)
    // what a sign-in or a day of work writes
    await run(`update app_user set last_login = now(); update session set last_used = now()`)
    await run(`insert into setting (scope, scope_uuid, key, value) values ('user', '${person.userUuid}', 'any', '1')`)
    await run(`update account set vanity = uuid::text; update account_user set account_login = user_uuid::text`)
    await run(`update role set permissions = permissions; update namespace set name = name, gone_at = null`)
    expect(await remembered(person.sid)).toBe(before)
  })

  it('[PERM-01] are those of the last commit, whatever changed, whoever changed it, and whether it was undone', async () => {
    const { organisation, group, person } = await makePlace()
    const other = await organisation.addPerson({ role: 'Administrator', groups: [group] })
    const second = await organisation.addGroup()
    const { accountUuid, roles } = organisation
    const [role, another] = [roles.get('Clinician'), roles.get('Uploader')]
    const own = `user_uuid = '${person.userUuid}'`
    const flags = (scope: string, uuid: string | undefined) => [
      `insert into setting (scope, scope_uuid, key, value) values ('${scope}', '${uuid}', 'study_field_flags', '{"study_field_patientid": "H"}')
        on conflict (scope, scope_uuid, key) do update set value = '{"study_field_patient_name": "O"}'`,
      `update setting set key = 'was_' || key where scope_uuid = '${uuid}' and key = 'study_field_flags'
        and not exists (select from setting where scope_uuid = '${uuid}' and key = 'was_study_field_flags')`,
      `update setting set key = 'study_field_flags' where scope_uuid = '${uuid}' and key = 'was_study_field_flags'
        and not exists (select from setting where scope_uuid = '${uuid}' and key = 'study_field_flags')`,
      `delete from setting where scope_uuid = '${uuid}'`,
    ]
    const changes = [
      ...roleTemplates.slice(0, 4).map(({ holds }) => {
        return `update role set permissions = '{${[...holds].slice(0, 5).join(',')}}' where uuid = '${role}'`
      }),
      `update account_user set role_uuid = '${another}' where ${own}`,
      `update account_user set role_uuid = '${role}' where ${own}`,
      `update account_user set disabled = not disabled where ${own}`,
      `delete from account_user where ${own}`,
      `insert into account_user (account_uuid, user_uuid, role_uuid) values ('${accountUuid}', '${person.userUuid}', '${role}')
        on conflict do nothing`,
      `update app_group set default_role_uuid = '${another}' where uuid = '${group.groupUuid}'`,
      `update app_group set default_role_uuid = null where uuid = '${group.groupUuid}'`,
      `update group_user set role_uuid = '${another}' where ${own}`,
      `delete from group_user where ${own} and group_uuid = '${group.groupUuid}'`,
      ...[group, second].map(
        ({ groupUuid }) =>
          `insert into group_user (group_uuid, user_uuid) values ('${groupUuid}', '${person.userUuid}') on conflict do nothing`,
      ),
      `update namespace set name = name || '!' where uuid = '${group.namespaceUuid}'`,
      `update namespace set owner_uuid = gen_random_uuid() where uuid = '${second.namespaceUuid}'`,
      `update account set namespace_uuid = gen_random_uuid() where uuid = '${accountUuid}'`,
      `update account set namespace_uuid = '${organisation.namespaceUuid}' where uuid = '${accountUuid}'`,
      ...flags('role', role),
      ...flags('namespace', group.namespaceUuid),
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ change: fc.constantFrom(...changes), isUndone: fc.boolean() }), {
          minLength: 1,
          maxLength: 12,
        }),
        async (steps) => {
          for (const { change, isUndone } of steps) {
            const attempt = db.transaction().execute(async (tx) => {
              await sql.raw(change).execute(tx)
              // a look in the middle remembers the rights of before, and one inside sees those that come
              for (const { sid } of [person, other]) await remembered(sid)
              await gathered(person.sid, tx)
              if (isUndone) throw new Undone()
            })
            await attempt.catch((error: unknown) => {
              if (!(error instanceof Undone)) throw error
            })
            for (const { sid } of [person, other]) expect(await remembered(sid)).toEqual(await gathered(sid))
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it('[PERM-01] hang on every table and column that their look-up reads', async () => {
    const read = await readByLookUp()
    expect([...read.keys()].toSorted()).toEqual([
      'account',
      'account_user',
      'app_group',
      'group_user',
      'namespace',
      'role',
      'setting',
    ])
    expect(await unwatched(db, read)).toEqual([])
    await expect(
      db.transaction().execute(async (tx) => {
        await sql`drop trigger role_made_renews_rights on role`.execute(tx)
        await sql`alter table account disable trigger account_changed_renews_rights`.execute(tx)
        throw new Undone((await unwatched(tx, read)).join())
      }),
    ).rejects.toThrow('account.namespace_uuid,account.uuid,role insert')
  })

  it('[PERM-01] are gathered anew when a whole table is emptied, and when rows come as replication writes them', async () => {
    const { person } = await makePlace()
    expect((await remembered(person.sid))?.length).toBe(3)
    const asReplica = (statement: string) =>
      db.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await sql.raw(statement).execute(tx)
      })
    await run(`create table kept as select * from group_user; truncate group_user`)
    expect((await remembered(person.sid))?.length).toBe(2)
    await asReplica('insert into group_user select * from kept; drop table kept')
    expect((await remembered(person.sid))?.length).toBe(3)
  })

  it('let two who change rights wait for each other at their ends alone', async () => {
    const [one, two] = [await makePlace(), await makePlace()]
    const before = await epoch()
    const rename = ({ group }: typeof one) =>
      sql.raw(`update namespace set name = 'X' where uuid = '${group.namespaceUuid}'`)
    let haveBoth: () => void = () => undefined
    const both = new Promise<void>((resolve) => (haveBoth = resolve))
    let count = 0
    const act = (own: typeof one) =>
      db.transaction().execute(async (tx) => {
        await rename(own).execute(tx)
        if (++count === 2) haveBoth()
        await both
      })
    await Promise.all([act(one), act(two)])
    expect(await epoch()).not.toBe(before)
  })

  it('are gathered at each request where the epoch is lost', async () => {
    const { person, group } = await makePlace()
    await run('delete from rights_epoch')
    const before = await remembered(person.sid)
    expect(before?.length).toBe(3)
    await run(`delete from group_user where group_uuid = '${group.groupUuid}'`)
    expect((await remembered(person.sid))?.length).toBe(2)
    await run('insert into rights_epoch default values')
  })
})

class Undone extends Error {}

/** Columns that the look-up reads, by their table: the tables as PostgreSQL explains its plan, the columns as it is written. */
async function readByLookUp(): Promise<Map<string, Set<string>>> {
  let text = ''
  const asked = recordingDatabase(async (one) => {
    text = one.text
    return []
  })
  await gatherMemberships(asked, '')
  const explained = `explain (format json) ${text.replaceAll(/\$\d+/g, 'gen_random_uuid()')}`
  const { rows } = await sql.raw<{ 'QUERY PLAN': unknown }>(explained).execute(db)
  const plan = JSON.stringify(rows[0]?.['QUERY PLAN'])
  const tables = new Set([...plan.matchAll(/"Relation Name":"(\w+)"/g)].map(([, table = '']) => table))
  tables.delete('rights_epoch')
  const read = new Map([...tables].map((table) => [table, new Set<string>()]))
  for (const [, table = '', alias = ''] of text.matchAll(/\b(?:from|join) (\w+) (\w+)/g)) {
    for (const [, column = ''] of text.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))) read.get(table)?.add(column)
  }
  return read
}

/** Columns whose change would leave the epoch as it is, and tables to which rows come, or from which they go, unseen. */
async function unwatched(from: typeof db | Tx, read: ReadonlyMap<string, ReadonlySet<string>>): Promise<string[]> {
  const { rows } = await sql<{ table: string; kinds: number; definition: string }>`
    select t.tgrelid::regclass::text as "table", t.tgtype::integer as kinds, pg_get_triggerdef(t.oid) as definition
    from pg_trigger t
    where t.tgfoid = 'renew_rights_epoch'::regproc and t.tgenabled = 'A'
  `.execute(from)
  const kinds = { insert: 4, delete: 8, update: 16, truncate: 32 }
  const gaps: string[] = []
  for (const [table, columns] of read) {
    const of = (kind: number) => rows.filter((one) => one.table === table && (one.kinds & kind) !== 0)
    if (of(kinds.insert).length === 0) gaps.push(`${table} insert`)
    if (of(kinds.delete).length === 0) gaps.push(`${table} delete`)
    if (of(kinds.truncate).length === 0) gaps.push(`${table} truncate`)
    const compared = of(kinds.update).map((one) => one.definition)
    for (const column of columns)
      if (!compared.some((one) => new RegExp(`\\bold\\.${column}\\b.*\\bnew\\.${column}\\b`).test(one)))
        gaps.push(`${table}.${column}`)
  }
  return gaps.toSorted()
}
