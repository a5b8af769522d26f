import { expect, test } from 'vitest'
import { createGroupCommitter } from './group-committer.ts'

function open(commit: (items: readonly number[]) => Promise<readonly string[]>, expected = 1) {
  return createGroupCommitter(commit, { maxItems: 3, lingerMs: 5, countExpected: () => expected })
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
