import { expect, test } from 'vitest'
import { atMost } from './at-most.ts'

test('work runs so many at a time, in the order it came, and goes on behind what fails', async () => {
  const inTurn = atMost(2)
  const begun: number[] = []
  const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<void>())
  const all = gates.map((gate, index) =>
    inTurn(async () => {
      begun.push(index)
      await gate.promise
      return index
    }),
  )
  const settled = Promise.allSettled(all)
  await expect.poll(() => begun).toEqual([0, 1])
  gates[1]?.reject(new Error('no'))
  await expect(all[1]).rejects.toThrow('no')
  await expect.poll(() => begun).toEqual([0, 1, 2])
  for (const gate of gates) gate.resolve()
  await settled
  expect(begun).toEqual([0, 1, 2, 3])
  expect(await inTurn(async () => 'after')).toBe('after')
})

test('what weighs more takes more of the limit, and nothing overtakes what is too heavy for now', async () => {
  const inTurn = atMost(10)
  const begun: string[] = []
  const gates = new Map<string, () => void>()
  const run = (name: string, weight: number) =>
    inTurn(
      async () => {
        begun.push(name)
        await new Promise<void>((open) => gates.set(name, open))
      },
      { weight },
    )
  const all = [run('light', 4), run('heavy', 8), run('small', 1), run('giant', 1000)]
  await expect.poll(() => begun).toEqual(['light'])
  gates.get('light')?.()
  await expect.poll(() => begun).toEqual(['light', 'heavy', 'small'])
  gates.get('heavy')?.()
  gates.get('small')?.()
  await expect.poll(() => begun).toEqual(['light', 'heavy', 'small', 'giant'])
  gates.get('giant')?.()
  await Promise.all(all)
})

test('owners take turns', async () => {
  const inTurn = atMost(1)
  const order: string[] = []
  const run = (owner: string) => inTurn(async () => void order.push(owner), { owner })
  await Promise.all(['a', 'a', 'a', 'a', 'b'].map(run))
  expect(order).toEqual(['a', 'a', 'b', 'a', 'a'])
})
