import { expect, test } from 'vitest'
import { createGroupCommitter } from './group-committer.ts'

function open(commit: (items: readonly number[]) => Promise<readonly string[]>, expected = 1) {
  const limits = { maxItems: 3, lingerMs: 5, countExpected: () => expected, keyOf: () => '' }
  return createGroupCommitter<number, string>(async (_first, gather) => commit(await gather()), limits)
}

test('items that come together share a batch, each with its own result, in batches of the limit', async () => {
  const batches: number[][] = []
  const add = open(async (items) => {
    batches.push([...items])
    return items.map((item) => `done ${item}`)
  }, 5)
  expect(await Promise.all([1, 2, 3, 4, 5].map(add))).toEqual(['done 1', 'done 2', 'done 3', 'done 4', 'done 5'])
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ])
})

test('an item that cannot be committed fails alone', async () => {
  const add = open(async (items) => {
    if (items.includes(2)) throw new Error('no')
    return items.map(String)
  }, 3)
  const settled = await Promise.allSettled([1, 2, 3].map(add))
  expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await add(4)).toBe('4')
})

test('items of several keys share a batch; one whose work has begun takes no items of another key', async () => {
  const batches: number[][] = []
  const begun: number[][] = []
  const add = createGroupCommitter<number, string>(
    async (first, gather) => {
      begun.push([...first])
      const items = await gather()
      batches.push([...items])
      return items.map((item) => `done ${item}`)
    },
    { maxItems: 9, lingerMs: 5, countExpected: () => 4, keyOf: (item) => (item < 10 ? 'small' : 'large') },
  )
  const sent = [
    [1, 10, 2, 11],
    [3, 4],
    [5, 12, 6, 13],
  ]
  for (const items of sent) expect(await Promise.all(items.map(add))).toEqual(items.map((one) => `done ${one}`))
  // the last of them follow items of one key alone, whose work begins before it is closed
  expect(begun[2]).toEqual([5])
  expect(batches).toEqual([sent[0], sent[1], [5, 6], [12, 13]])
})

test('work that fails before its batch is closed fails for the first items, and takes nobody else along', async () => {
  const add = createGroupCommitter<number, string>(
    async (first, gather) => {
      if (first.includes(1)) throw new Error('no')
      return (await gather()).map(String)
    },
    { maxItems: 3, lingerMs: 5, countExpected: () => 2, keyOf: () => '' },
  )
  await add(0)
  const settled = await Promise.allSettled([1, 2].map(add))
  expect(settled.map((one) => one.status)).toEqual(['rejected', 'fulfilled'])
})
