import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { openLog } from '../../log.ts'
import { createMetrics } from '../../metrics.ts'
import { createPictureCache } from './picture-cache.ts'
import { sweepCaches } from './sweep-caches.job.ts'

const HOUR_MS = 3_600_000
const KB = 1024
const now = new Date()
const metrics = createMetrics(false)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hilum-caches-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const sweep = (limitKb: number) =>
  sweepCaches(
    { config: { ...readConfig({ HILUM_DATA: folder }), cacheBytes: limitKb * KB }, log: openLog('silent'), metrics },
    now,
  )

async function put(name: string, hoursAgo: number, sizeKb = 10): Promise<void> {
  const path = join(folder, 'cache', name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, Buffer.alloc(sizeKb * KB))
  const used = new Date(now.getTime() - hoursAgo * HOUR_MS)
  await utimes(path, used, used)
}

async function listNames(): Promise<string[]> {
  const entries = await readdir(join(folder, 'cache'), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .toSorted()
}

test('what was not used for longest goes first, of thumbnails and metadata alike, until the rest fits', async () => {
  await put('thumbnails/a/aa/oldest', 30)
  await put('metadata/n/r/older', 20)
  await put('thumbnails/a/bb/newer', 10)
  await put('metadata/n/r/newest', 1)
  expect(await sweep(100)).toEqual({ files: 0, bytes: 0 })
  expect(await sweep(30)).toEqual({ files: 2, bytes: 20 * KB })
  expect(await listNames()).toEqual(['newer', 'newest'])
})

test('of many that were used at one time only as many go as must', async () => {
  for (let number = 0; number < 10; number++) await put(`thumbnails/a/aa/${number}`, 5)
  await sweep(50)
  expect(await listNames()).toHaveLength(4)
})

test('what is in use now stays, also when it is more than is allowed', async () => {
  await put('thumbnails/a/aa/now', 0, 100)
  await put('thumbnails/a/aa/before', 2, 100)
  await sweep(50)
  expect(await listNames()).toEqual(['now'])
})

test('drafts go when their process must have ended, and count for nothing before', async () => {
  await put('thumbnails/a/aa/picture.0123456789ab', 30)
  await put('thumbnails/a/aa/picture.ba9876543210', 2, 100)
  await put('thumbnails/a/aa/picture', 2)
  await sweep(20)
  expect(await listNames()).toEqual(['picture', 'picture.ba9876543210'])
})

test('there need be no cache yet', async () => {
  expect(await sweep(1)).toEqual({ files: 0, bytes: 0 })
})

test('looking at a picture keeps it, and a swept one is drawn again', async () => {
  const cache = createPictureCache(join(folder, 'cache', 'thumbnails'))
  const keys = [1, 2].map((number) => ({
    account_uuid: 'a',
    sha256: `${number}`.repeat(64),
    frame: 1,
    edge: 256,
    withOverlays: true,
  }))
  let drawn = 0
  const draw = async () => {
    drawn += 1
    return Buffer.alloc(10 * KB, drawn)
  }
  for (const key of keys) await cache.get(key, draw)
  const old = new Date(now.getTime() - 30 * HOUR_MS)
  for (const name of await listPaths()) await utimes(name, old, old)
  const [kept, swept] = keys
  if (!kept || !swept) throw new Error('two keys')
  await cache.get(kept, draw)
  await sweep(15)
  expect(await listNames()).toHaveLength(1)
  expect((await cache.get(kept, draw))[0]).toBe(1)
  expect((await cache.get(swept, draw))[0]).toBe(3)
})

test('readers are never disturbed by the sweep', async () => {
  const cache = createPictureCache(join(folder, 'cache', 'thumbnails'))
  const key = { account_uuid: randomUUID(), sha256: 'f'.repeat(64), frame: 1, edge: 256, withOverlays: true }
  const read = async () => {
    for (let count = 0; count < 200; count++) {
      const picture = await cache.get(key, async () => Buffer.alloc(100 * KB, 7))
      expect(picture.length === 100 * KB && picture.every((byte) => byte === 7)).toBe(true)
    }
  }
  const removeAll = async () => {
    for (let count = 0; count < 50; count++) {
      for (const path of await listPaths().catch(() => [])) {
        const isDraft = !path.endsWith('v1')
        if (!isDraft) await utimes(path, 0, 0).catch(() => undefined)
      }
      await sweep(0)
    }
  }
  await Promise.all([read(), read(), removeAll()])
  expect((await stat(join(folder, 'cache'))).isDirectory()).toBe(true)
})

async function listPaths(): Promise<string[]> {
  const entries = await readdir(join(folder, 'cache'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

test('the figures tell what is held and what the last sweep removed', async () => {
  for (const hoursAgo of [1, 2, 3, 4]) await put(`one-${hoursAgo}`, hoursAgo)
  await sweep(20)
  const { values } = await metrics.cacheBytes.get()
  expect(Object.fromEntries(values.map(({ labels, value }) => [labels.state, value]))).toEqual({
    held: 10 * KB,
    removed: 30 * KB,
  })
})
