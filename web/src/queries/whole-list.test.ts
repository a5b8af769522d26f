import { expect, test } from 'vitest'
import { wholeList } from './whole-list.ts'

test('reads a list page after page, until the server says that no more follow', async () => {
  const asked: number[] = []
  const all = await wholeList(async ({ 'page.number': number }) => {
    asked.push(number)
    return { rows: [`${number}a`, `${number}b`], page: { more: number < 3 ? 1 : 0 } }
  })
  expect(all).toEqual(['1a', '1b', '2a', '2b', '3a', '3b'])
  expect(asked).toEqual([1, 2, 3])
})
