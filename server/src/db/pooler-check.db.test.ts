import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '../../test/fresh-database.ts'
import { hasPgBouncer, startPgBouncer } from '../../test/pooler.ts'
import { readConfig } from '../config.ts'
import { openLog } from '../log.ts'
import { openServices } from '../open-services.ts'
import { refusePooler } from './pooler-check.ts'

const { url } = await freshDatabase()
const folder = await mkdtemp(join(tmpdir(), 'hilum-pooler-data-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

it('the database itself is taken', async () => {
  await expect(refusePooler(url)).resolves.toBeUndefined()
})

describe.skipIf(!hasPgBouncer)('PgBouncer before the database is refused at the start, in words', () => {
  it.each([
    ['that takes no settings', { pool_mode: 'transaction' }],
    ['that drops the settings', { pool_mode: 'session', ignore_startup_parameters: 'options' }],
    ['that drops the settings', { pool_mode: 'transaction', ignore_startup_parameters: 'options' }],
  ])('one %s', async (words, settings) => {
    const pooler = await startPgBouncer(url, settings)
    const config = readConfig({ HILUM_DATA: folder, DATABASE_URL: pooler.url })
    const started = openServices(config, openLog('silent'))
    await expect(started.finally(() => pooler.close())).rejects.toThrow(
      new RegExp(`pooler ${words}.*\\. Name the address of PostgreSQL itself`),
    )
  })

  it('one that loses notices, though it knows the settings', async () => {
    const settings = { pool_mode: 'transaction', ignore_startup_parameters: 'options', max_client_conn: '20' }
    const pooler = await startPgBouncer(url, settings)
    // options of the address are the administrator's own, and not asked for again
    const given = refusePooler(`${pooler.url}?options=-c%20jit%3Doff`)
    await expect(given.finally(() => pooler.close())).rejects.toThrow('pooler that gives each transaction another')
  })
})
