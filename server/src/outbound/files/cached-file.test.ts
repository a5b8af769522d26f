import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findLastUse, isCached, isDraft, readCached, removeCached, writeCached } from './cached-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hilum-cached-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('a file of the cache is there whole or not at all', async () => {
  const path = join(folder, 'a', 'b')
  async function* broken() {
    yield Buffer.from('a beginning')
    expect((await readdir(join(folder, 'a'))).map(isDraft)).toEqual([true])
    throw new Error('The source ended')
  }
  await expect(writeCached(path, broken())).rejects.toThrow('The source ended')
  expect([await isCached(path), await readCached(path), await readdir(join(folder, 'a'))]).toEqual([
    false,
    undefined,
    [],
  ])
  await writeCached(path, 'the whole')
  expect([await isCached(path), String(await readCached(path)), (await stat(path)).mode & 0o777]).toEqual([
    true,
    'the whole',
    0o600,
  ])
  await removeCached(join(folder, 'a'))
  expect(await isCached(path)).toBe(false)
})

it('what must be there before a file is written before the file gets its name', async () => {
  const path = join(folder, 'file')
  const wasThere: boolean[] = []
  await writeCached(path, 'the whole', async () => {
    wasThere.push(await isCached(path))
  })
  expect([wasThere, await isCached(path)]).toEqual([[false], true])
})

it('each look at a file is a use, once in a while', async () => {
  for (const look of [isCached, readCached]) {
    const path = join(folder, look.name)
    await writeFile(path, 'x')
    const [longAgo, lately] = [new Date(Date.now() - 3_600_000), new Date(Date.now() - 60_000)]
    await utimes(path, longAgo, longAgo)
    await look(path)
    expect(await findLastUse(path)).toBeGreaterThan(lately.getTime())
    await utimes(path, lately, lately)
    await look(path)
    expect(Math.round((await findLastUse(path)) / 1000)).toBe(Math.round(lately.getTime() / 1000))
  }
})
