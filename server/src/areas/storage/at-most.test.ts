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
  expect(begun).toEqual([0, 1])
  gates[1]?.reject(new Error('no'))
  await expect(all[1]).rejects.toThrow('no')
  await expect.poll(() => begun).toEqual([0, 1, 2])
  for (const gate of gates) gate.resolve()
  await settled
  expect(begun).toEqual([0, 1, 2, 3])
  expect(await inTurn(async () => 'after')).toBe('after')
})
