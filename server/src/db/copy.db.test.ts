import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../test/fresh-database.ts'
import { copyIn, copyOut } from './copy.ts'
import { openDatabase, type PooledConnection } from './database.ts'

const { url } = await freshDatabase()
const { db, pool } = openDatabase({ connectionString: url, max: 2 })
let client: PooledConnection
beforeAll(async () => {
  client = await pool.connect()
  await client.query('create table line (n integer primary key, words text)')
})
afterAll(async () => {
  client.release()
  await db.destroy()
})

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

async function* broken(): AsyncGenerator<Buffer> {
  yield Buffer.from('1000\tfirst\n')
  await sleep(1)
  throw new Error('the file ended too early')
}

const countLines = async () => (await client.query('select count(*) as n from line')).rows[0].n
const manyRows = `copy (select n, repeat('x', 1000) from generate_series(1, 20000) n) to stdout`

async function read(statement: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of copyOut(client, statement)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

test('rows go in in whatever pieces, and come out as they went in', async () => {
  expect(await copyIn(client, 'copy line from stdin', pieces('1\tone\n2\tt', 'w', 'o\\\\n\n', '3\t\\N\n'))).toBe(3)
  expect((await read('copy (select * from line order by n) to stdout')).toString()).toBe(
    '1\tone\n2\ttwo\\\\n\n3\t\\N\n',
  )
  expect(await copyIn(client, 'copy line from stdin', pieces())).toBe(0)
  await client.query('delete from line')
})

test('a reader that is slow gets everything, one that leaves disturbs nobody', async () => {
  const slow = copyOut(client, manyRows)
  let bytes = 0
  let count = 0
  for await (const chunk of slow) {
    bytes += (chunk as Buffer).length
    if (count++ % 20 === 0) await sleep(1)
  }
  const whole = await read(manyRows)
  expect(bytes).toBe(whole.length)
  const left = copyOut(client, manyRows)
  for await (const chunk of left) {
    bytes = (chunk as Buffer).length
    break
  }
  expect(bytes).toBeLessThan(whole.length)
  expect(await countLines()).toBe(0)
})

test('a row that does not fit, or input that fails, is the caller’s error, and the connection serves on', async () => {
  const wrong = pieces(
    '1\tone\n',
    'two\ttwo\n',
    ...Array.from({ length: 2000 }, (_, n) => `${n}\t${'x'.repeat(5000)}\n`),
  )
  await expect(copyIn(client, 'copy line from stdin', wrong)).rejects.toThrow('invalid input syntax')
  await expect(copyIn(client, 'copy line from stdin', broken())).rejects.toThrow('the file ended too early')
  await expect(copyIn(client, 'copy nothing from stdin', pieces('1\n'))).rejects.toThrow('does not exist')
  await expect(read('copy nothing to stdout')).rejects.toThrow('does not exist')
  await expect(read('copy (select 1 / (n - 15000) from generate_series(1, 20000) n) to stdout')).rejects.toThrow('zero')
  expect(await countLines()).toBe(0)
})

test('a connection that is lost is told of, in and out', async () => {
  const lost = async (act: (doomed: PooledConnection) => Promise<unknown>) => {
    const doomed = await pool.connect()
    doomed.on('error', () => undefined)
    const { rows } = await doomed.query('select pg_backend_pid() as pid')
    const ending = act(doomed).then(
      () => 'went well',
      () => 'failed',
    )
    await client.query('select pg_terminate_backend($1)', [rows[0].pid])
    const outcome = await ending
    doomed.release(true)
    return outcome
  }
  const endless = async function* () {
    for (let n = 0; ; n++) {
      yield Buffer.from(`${n}\t${'x'.repeat(1000)}\n`)
      if (n % 100 === 0) await sleep(1)
    }
  }
  expect(await lost((doomed) => copyIn(doomed, 'copy line from stdin', endless()))).toBe('failed')
  expect(
    await lost(async (doomed) => {
      for await (const _ of copyOut(doomed, 'copy (select pg_sleep(0.01) from generate_series(1, 100000)) to stdout')) {
        // read on until it fails
      }
    }),
  ).toBe('failed')
})
