import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/fresh-database.ts'
import { openDatabase } from '../../db/database.ts'
import { openLog } from '../../log.ts'
import { writeAudit } from './audit.sql.ts'
import { eraseDetails } from './erase-details.command.ts'
import { sealAudit } from './seal-audit.job.ts'
import { digestOfSeal } from './seal-digest.ts'
import { listSealsAfter, noAccount } from './seal.sql.ts'
import { verifyAudit } from './verify-audit.command.ts'

const { url } = await freshDatabase()
const { db } = openDatabase({ connectionString: url, max: 4 })
const services = { db, log: openLog('silent') }
afterAll(() => db.destroy())

let account: string
let ids: number[]
beforeEach(async () => {
  await sql`truncate audit, audit_seal restart identity`.execute(db)
  account = randomUUID()
  ids = []
  for (const name of ['First', 'Second', 'Third']) await act(name)
  await sealAudit(services, new Date())
  for (const name of ['Fourth', 'Fifth', 'Sixth']) await act(name)
  await sealAudit(services, new Date())
})

async function act(name: string, accountUuid: string | null = account): Promise<void> {
  await writeAudit(db, {
    accountUuid,
    caller: undefined,
    action: 'EDIT',
    type: 'Study',
    detail: { patient_name: name },
  })
  const { rows } = await sql<{ id: number }>`select max(id) as id from audit`.execute(db)
  ids.push(rows[0]?.id ?? 0)
}

async function verify() {
  const faults: [string, string][] = []
  const result = await verifyAudit(db, ({ kind, what }) => faults.push([kind, what]))
  expect(result.faults).toBe(faults.length)
  return { ...result, faults }
}

const run = (statement: string) => sql.raw(statement).execute(db)
const rowName = (place: number, seal?: number) => `${account} row ${ids[place]}${seal ? ` of seal ${seal}` : ''}`

test('what nobody touched is well', async () => {
  expect(await verify()).toMatchObject({
    rows: 6,
    unsealed: 0,
    faults: [],
    chains: [{ account_uuid: account, number: 2 }],
  })
})

describe('rows that somebody tampered with are named', () => {
  /** By column, what is put in the place of what stood there. */
  const changes = {
    detail: `'{"patient_name": "Other"}'`,
    actor: `'${randomUUID()}'`,
    actor_name: `'Somebody Else'`,
    actor_kind: `'key'`,
    proxy: `'A supporter'`,
    at: `at - interval '1 second'`,
    action: `'STUDY_VIEW'`,
    type: `'User'`,
    object_uuid: `'${randomUUID()}'`,
    phi_namespace: `'${randomUUID()}'`,
    client_address: `'10.0.0.1'`,
  }

  test.each(Object.entries(changes))('a row with another %s', async (column, value) => {
    await run(`update audit set ${column} = ${value} where id = ${ids[1]}`)
    expect((await verify()).faults).toEqual([['audit row changed', rowName(1, 1)]])
  })

  test('no column of a row is left out', async () => {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns where table_name = 'audit'`.execute(db)
    const byOtherTests = ['id', 'account_uuid', 'seal_number', 'detail_salt', 'detail_digest']
    const known = new Set([...Object.keys(changes), ...byOtherTests])
    expect(rows.map((one) => one.name).filter((name) => !known.has(name))).toEqual([])
  })

  test('a removed row', async () => {
    await run(`delete from audit where id = ${ids[4]}`)
    expect((await verify()).faults).toEqual([['audit row removed', rowName(4, 2)]])
  })

  test('a row given to another account', async () => {
    await run(`update audit set account_uuid = '${randomUUID()}' where id = ${ids[4]}`)
    expect((await verify()).faults).toContainEqual(['audit row changed', rowName(4, 2)])
  })

  test('rows that changed places', async () => {
    await run(`update audit one set at = other.at, detail = other.detail, detail_salt = other.detail_salt
      from audit other where (one.id, other.id) in ((${ids[0]}, ${ids[2]}), (${ids[2]}, ${ids[0]}))`)
    expect((await verify()).faults).toEqual([
      ['audit row out of its place', `${rowName(0, 1)}, holds what row ${ids[2]} held`],
      ['audit row out of its place', `${rowName(2, 1)}, holds what row ${ids[0]} held`],
    ])
  })

  test('a row put into a seal, under a number of its own or of another', async () => {
    const columns = 'account_uuid, at, action, type, seal_number'
    await run(`insert into audit (id, ${columns}) overriding system value
      values (${ids[3]}, '${account}', now(), 'EDIT', 'Study', 2)`)
    await run(`insert into audit (${columns}) values ('${account}', now(), 'EDIT', 'Study', 1)`)
    const [newest] = (await sql<{ id: number }>`select max(id) as id from audit`.execute(db)).rows
    expect((await verify()).faults).toEqual([
      ['audit row put in', rowName(3, 2)],
      ['audit row put in', `${account} row ${newest?.id} of seal 1`],
    ])
  })

  test('a row put in as if it were old, before and after it is sealed', async () => {
    await run(`insert into audit (account_uuid, at, action, type)
      values ('${account}', now() - interval '3 hours', 'EDIT', 'Study')`)
    const [newest] = (await sql<{ id: number }>`select max(id) as id from audit`.execute(db)).rows
    const fault = ['audit row put in later than it says', `${account} row ${newest?.id}`]
    expect(await verify()).toMatchObject({ unsealed: 1, faults: [fault] })
    await sealAudit(services, new Date())
    expect(await verify()).toMatchObject({ unsealed: 0, faults: [fault] })
  })

  test('a row taken out of its seal, so that it would be sealed anew', async () => {
    await run(`update audit set seal_number = null, actor_name = 'Else' where id = ${ids[1]}`)
    await sealAudit(services, new Date())
    expect((await verify()).faults).toEqual([['audit row changed', rowName(1, 1)]])
    await run(`update audit set seal_number = null, actor_name = '' where id = ${ids[1]}`)
    expect((await verify()).faults).toContainEqual(['audit row taken out of its seal', rowName(1, 1)])
  })
})

describe('seals that somebody tampered with are named', () => {
  test('one that was made to fit a changed row', async () => {
    await run(`update audit set actor_name = 'Else' where id = ${ids[1]}`)
    await run(`update audit_seal set row_digests = sha256('') || sha256('') || sha256('') where number = 1`)
    expect((await verify()).faults).toContainEqual(['audit seal changed', `${account} seal 1`])
  })

  test('one that lists a row less', async () => {
    await run(`delete from audit where id = ${ids[5]}`)
    await run(
      `update audit_seal set row_ids = row_ids[1:2], row_digests = substring(row_digests from 1 for 64) where number = 2`,
    )
    expect((await verify()).faults).toEqual([['audit seal changed', `${account} seal 2`]])
  })

  test('one that lists a digest more, with a digest of its own made to fit', async () => {
    const [before, last] = await listSealsAfter(db, undefined, 2)
    if (!last) throw new Error('There are two seals')
    const more = { ...last, row_digests: Buffer.concat([last.row_digests, last.row_digests.subarray(0, 32)]) }
    const digest = digestOfSeal(more, before?.digest).toString('hex')
    await run(
      `update audit_seal set row_digests = '\\x${more.row_digests.toString('hex')}', digest = '\\x${digest}' where number = 2`,
    )
    expect((await verify()).faults).toEqual([['audit seal changed', `${account} seal 2`]])
  })

  test('the last of more seals than are read at a time, of two accounts', async () => {
    const other = randomUUID()
    for (let count = 0; count < 60; count++) {
      await act('More')
      if (count < 3) await act('Elsewhere', other)
      await sealAudit(services, new Date())
    }
    const { faults, chains } = await verify()
    expect(faults).toEqual([])
    const ends = [
      [account, 62],
      [other, 3],
    ] as const
    expect(chains.map(({ account_uuid: of, number }) => [of, number]).toSorted()).toEqual(ends.toSorted())
    for (const [of, number] of ends) {
      await run(`update audit_seal set digest = sha256('') where account_uuid = '${of}' and number = ${number}`)
      expect((await verify()).faults).toContainEqual(['audit seal changed', `${of} seal ${number}`])
    }
  })

  test('several that were taken out with their rows', async () => {
    await act('Seventh')
    await sealAudit(services, new Date())
    await run(`delete from audit where seal_number < 3`)
    await run(`delete from audit_seal where number < 3`)
    expect((await verify()).faults).toEqual([['audit seals removed', `${account} seals 1 to 2`]])
  })

  test('one that was taken out with its rows', async () => {
    await run(`delete from audit where seal_number = 1`)
    await run(`delete from audit_seal where number = 1`)
    expect((await verify()).faults).toEqual([['audit seals removed', `${account} seals 1`]])
  })

  test('a chain whose end was cut off does not end as it did', async () => {
    const before = (await verify()).chains
    await run(`delete from audit where seal_number = 2`)
    await run(`delete from audit_seal where number = 2`)
    const { faults, chains } = await verify()
    expect(faults).toEqual([])
    expect(before).toMatchObject([{ account_uuid: account, number: 2 }])
    expect(chains).toMatchObject([{ account_uuid: account, number: 1 }])
  })
})

describe('details can be erased where law asks', () => {
  test('without breaking the chain, and it is on record', async () => {
    expect(await eraseDetails(db, [ids[0] ?? 0, ids[4] ?? 0], 'Asked for by the patient')).toBe(2)
    await sealAudit(services, new Date())
    expect(await verify()).toMatchObject({ rows: 7, faults: [] })
    const { rows } = await sql<{ id: number; detail: object }>`select id, detail from audit order by id`.execute(db)
    expect(rows.filter((row) => JSON.stringify(row.detail).match(/First|Fifth/))).toEqual([])
    expect(rows.at(-1)?.detail).toEqual({ audit_ids: [ids[0], ids[4]], reason: 'Asked for by the patient' })
  })

  test('a detail emptied by hand, or replaced after its digest was kept, is named', async () => {
    const digest = `sha256(uuid_send(detail_salt) || convert_to(detail::text, 'UTF8'))`
    await run(`update audit set detail_digest = ${digest}, detail_salt = null, detail = '{}' where id = ${ids[0]}`)
    await run(`update audit set detail_digest = ${digest}, detail = '{"patient_name": "Other"}' where id = ${ids[1]}`)
    expect((await verify()).faults).toEqual([
      ['audit detail erased without a record of it', rowName(0)],
      ['audit detail erased without a record of it', rowName(1)],
    ])
  })
})

describe('sealing', () => {
  test('tells the operator of each seal, whose digest can be kept elsewhere', async () => {
    await act('Seventh')
    const told: object[] = []
    const log = { info: (line: object) => told.push(line) } as unknown as typeof services.log
    await sealAudit({ db, log }, new Date())
    const digest = (await verify()).chains.find((chain) => chain.account_uuid === account)?.digest
    expect(told).toEqual([{ event: 'audit sealed', account, seal: 3, digest }])
  })

  test('leaves nobody waiting, and a row that commits late for the next seal', async () => {
    let committed: (() => void) | undefined
    const gate = new Promise<void>((resolve) => (committed = resolve))
    let written: (() => void) | undefined
    const isWritten = new Promise<void>((resolve) => (written = resolve))
    const late = db.transaction().execute(async (tx) => {
      await writeAudit(tx, { accountUuid: account, caller: undefined, action: 'EDIT', type: 'Order' })
      written?.()
      await gate
    })
    await isWritten
    await act('Seventh')
    expect(await sealAudit(services, new Date())).toBe(1)
    committed?.()
    await late
    expect(await verify()).toMatchObject({ unsealed: 1, faults: [] })
    expect(await sealAudit(services, new Date())).toBe(1)
    expect(await verify()).toMatchObject({ rows: 8, unsealed: 0, faults: [] })
  })

  test('goes on while rows are written and two processes seal at once', async () => {
    const write = async () => {
      for (let count = 0; count < 100; count++) {
        await writeAudit(db, { accountUuid: account, caller: undefined, action: 'EDIT', type: 'Study' })
      }
    }
    const seal = async () => {
      for (let count = 0; count < 20; count++) await sealAudit(services, new Date())
    }
    await Promise.all([write(), write(), seal(), seal()])
    await sealAudit(services, new Date())
    expect(await verify()).toMatchObject({ rows: 206, unsealed: 0, faults: [] })
  })

  test('takes more rows than one seal holds, of each account by itself, and what belongs to none', async () => {
    await run(
      `insert into audit (account_uuid, action, type) select '${account}', 'EDIT', 'Study' from generate_series(1, 2500)`,
    )
    const other = randomUUID()
    await act('Elsewhere', other)
    await act('Nowhere', null)
    expect(await sealAudit(services, new Date())).toBe(2502)
    const { rows, faults, chains } = await verify()
    expect({ rows, faults }).toEqual({ rows: 2508, faults: [] })
    expect(chains.map(({ account_uuid, number }) => [account_uuid, number]).toSorted()).toEqual(
      [
        [account, 5],
        [other, 1],
        [noAccount, 1],
      ].toSorted(),
    )
  })
})
