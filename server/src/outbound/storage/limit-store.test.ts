import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limitStore } from './limit-store.ts'
import type { ObjectStore, ObjectWriter } from './object-store.ts'

const silent = { name: 'StoreError', fault: 'slow', message: 'The server’s store does not answer' }
const place = { object_key: 'a', byte_offset: 0, length: 4 }
const limits = { readMs: 10, writeMs: 10, finishMs: 10 }

function storeWith(parts: Partial<ObjectStore>): ObjectStore {
  return limitStore(parts as ObjectStore, limits)
}

test('reading that gets no answer ends in words, and so does a stream in its middle', async () => {
  const never = new Promise<never>(() => undefined)
  const stream = async function* () {
    yield Buffer.from('half')
    await never
  }
  const store = storeWith({ read: () => never, size: () => never, stream })
  await expect(store.read('a', 0, 4)).rejects.toMatchObject(silent)
  await expect(store.size('a')).rejects.toMatchObject(silent)
  const chunks: string[] = []
  const readAll = async () => {
    for await (const chunk of store.stream('a', 0, 8)) chunks.push(String(chunk))
  }
  await expect(readAll()).rejects.toMatchObject(silent)
  expect(chunks).toEqual(['half'])
})

test('what comes too late is let go of', async () => {
  const opened = Promise.withResolvers<Awaited<ReturnType<ObjectStore['open']>>>()
  const begun = Promise.withResolvers<ObjectWriter>()
  const letGo: string[] = []
  const store = storeWith({ open: () => opened.promise, begin: () => begun.promise })
  await expect(store.open(place)).rejects.toMatchObject(silent)
  await expect(store.begin('a/b')).rejects.toMatchObject(silent)
  opened.resolve({
    size: 4,
    read: async () => new Uint8Array(),
    [Symbol.asyncDispose]: async () => void letGo.push('closed'),
  })
  begun.resolve({ discard: async () => void letGo.push('discarded') } as unknown as ObjectWriter)
  await nextTurn()
  expect(letGo.toSorted()).toEqual(['closed', 'discarded'])
})

test('a file that is lent too late is not used; one that is lent in time is used for as long as it takes', async () => {
  const lending = Promise.withResolvers<void>()
  const file = { path: '/lent', offset: 0, length: 4 }
  const late = storeWith({
    useFile: async (_, use) => {
      await lending.promise
      return use(file)
    },
  })
  let isUsed = false
  const use = async () => {
    isUsed = true
  }
  await expect(late.useFile(place, use)).rejects.toMatchObject(silent)
  lending.resolve()
  await nextTurn()
  expect(isUsed).toBe(false)
  const long = new Promise<string>((resolve) => setTimeout(() => resolve('drawn'), 50))
  expect(await storeWith({ useFile: (_, use) => use(file) }).useFile(place, () => long)).toBe('drawn')
})

test('bytes that cannot be brought to disk in time are not stored', async () => {
  const store = storeWith({ finish: () => new Promise<never>(() => undefined) })
  await expect(store.finish([])).rejects.toMatchObject(silent)
})
