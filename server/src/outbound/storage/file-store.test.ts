import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFileStore } from './file-store.ts'
import type { ObjectStore } from './object-store.ts'

let root: string
let store: ObjectStore
beforeEach(async () => {
  root = join(await mkdtemp(join(tmpdir(), 'hilum-store-')), 'objects')
  store = createFileStore(root)
})
afterEach(() => rm(join(root, '..'), { recursive: true }))
afterEach(() => vi.restoreAllMocks())

async function put(folder: string, ...texts: string[]): Promise<string> {
  const writer = await store.begin(folder)
  await writer.write(texts.map((text) => Buffer.from(text)))
  await store.finish([writer])
  return writer.key
}

test('what was written is read back, whole and in ranges', async () => {
  const key = await put('account/namespace/study', 'one ', 'two ', 'three')
  expect(await store.size(key)).toBe(13)
  expect(String(await store.read(key, 4, 3))).toBe('two')
  expect(String(await store.read(key, 8, 500))).toBe('three')
  expect(String(await buffer(store.stream(key, 4, 9)))).toBe('two three')
})

test('an object comes back under the name that an export gives it, over what an import that was cut short left', async () => {
  const key = await put('account/namespace/study', 'a beginning that is longer than the object')
  const writer = await store.restore(key)
  await writer.write([Buffer.from('the object')])
  await store.finish([writer])
  expect(String(await buffer(store.stream(key, 0, await store.size(key))))).toBe('the object')
})

test('quick readers take large pieces, as long as all of them together hold little; slow ones never', async () => {
  let time = 0
  vi.spyOn(performance, 'now').mockImplementation(() => time)
  const bytes = Buffer.alloc(2_000_000, 'a piece of an image ')
  const key = await put('account/namespace/study', bytes.toString())
  const [small, large, most] = [64 * 1024, 512 * 1024, 8 * 1024 ** 2]
  const read = async (reader: AsyncGenerator<Buffer>) => (await reader.next()).value?.length ?? 0
  for (let round = 0; round < 3; round++) {
    const readers = Array.from({ length: 100 }, () => store.stream(key, 0, bytes.length))
    for (const reader of readers) expect(await read(reader)).toBe(small)
    // earlier rounds gave back all that they held, by readers who came to the end and by those who went
    const held: number[] = []
    for (const reader of readers) held.push(await read(reader))
    expect(held.slice(0, most / large).every((one) => one === large)).toBe(true)
    expect(held.slice(most / large).every((one) => one === small)).toBe(true)
    time += 1000
    for (const reader of readers) expect(await read(reader)).toBe(small)
    for (const reader of readers.slice(0, 50)) await reader.return(undefined)
    for (const reader of readers.slice(50)) for await (const chunk of reader) expect(chunk.length).toBeGreaterThan(0)
  }
  expect((await buffer(store.stream(key, 0, bytes.length))).equals(bytes)).toBe(true)
})

test('names in a folder follow the order of arrival', async () => {
  const first = await put('account/namespace/study', 'first')
  await new Promise((resolve) => setTimeout(resolve, 3))
  const second = await put('account/namespace/study', 'second')
  expect(first < second).toBe(true)
})

test('a discarded object leaves nothing behind', async () => {
  const writer = await store.begin('account/namespace/study')
  await writer.write([Buffer.from('half')])
  await writer.discard()
  expect(await readdir(join(root, 'account/namespace/study'))).toEqual([])
})

test('an object that is discarded while it is written takes nothing more, and its file is closed only then', async () => {
  const writer = await store.begin('account/namespace/study')
  const written = writer.write([Buffer.alloc(4 * 1024 * 1024, 'half')])
  const discarded = writer.discard()
  await Promise.allSettled([written])
  await discarded
  const other = await store.begin('account/namespace/study')
  await expect(writer.write([Buffer.from('late')])).rejects.toThrow('discarded')
  await expect(writer.end()).rejects.toThrow('discarded')
  await other.write([Buffer.from('the other')])
  await store.finish([other])
  expect(String(await store.read(other.key, 0, 100))).toBe('the other')
})

test('the sweep deletes old objects that nothing refers to, and no others', async () => {
  const referenced = await put('account/namespace/study', 'referenced')
  const orphan = await put('account/namespace/study', 'orphan')
  const young = await put('account/namespace/study', 'young')
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
  for (const key of [referenced, orphan]) await utimes(join(root, key), twoDaysAgo, twoDaysAgo)
  const swept = await store.sweep(new Date(Date.now() - 86_400_000), async () => new Set([referenced]))
  expect(swept).toEqual({ swept: [orphan] })
  expect(String(await store.read(young, 0, 5))).toBe('young')
  await expect(store.read(orphan, 0, 5)).rejects.toMatchObject({ name: 'StoreError', fault: 'missing' })
})

test('a sweep that looks at some objects only goes on behind them, and misses none', async () => {
  const folders = ['a/n/one', 'a/n/two', 'a/n/two', 'a/n/two-more', 'b/n/one']
  const keys: string[] = []
  for (const folder of folders) keys.push(await put(folder, folder))
  const kept = new Set([keys[1] ?? ''])
  const swept: string[] = []
  let runs = 0
  for (let after: string | undefined = ''; after !== undefined; runs += 1) {
    const part = await store.sweep(new Date(Date.now() + 60_000), async () => kept, { after, most: 2 })
    swept.push(...part.swept)
    after = part.next
  }
  expect([runs, swept.toSorted()]).toEqual([3, keys.filter((key) => !kept.has(key)).toSorted()])
})

test('a store that holds nothing yet is swept without complaint', async () => {
  expect(await store.sweep(new Date(), async () => new Set())).toEqual({ swept: [] })
})
