import { expect, it } from 'vitest'
import { HeaderMemory } from './header-memory.ts'

it('lets no more large headers be gathered at a time than it has places, the others in the order they came', async () => {
  const memory = new HeaderMemory({ places: 2 })
  const began: number[] = []
  const take = async (number: number) => {
    const place = await memory.take()
    began.push(number)
    return place
  }
  const places = [take(1), take(2), take(3), take(4)]
  const [first, second] = await Promise.all(places.slice(0, 2))
  expect(began).toEqual([1, 2])
  first?.release()
  first?.release()
  const third = await places[2]
  expect(began).toEqual([1, 2, 3])
  second?.release()
  third?.release()
  ;(await places[3])?.release()
  expect(began).toEqual([1, 2, 3, 4])
})

it('sends one that waits for too long away with a time to come again, and loses no place by it', async () => {
  const memory = new HeaderMemory({ places: 1, waitMs: 1 })
  const held = await memory.take()
  await expect(memory.take()).rejects.toMatchObject({ httpStatus: 503, retrySeconds: 30 })
  held.release()
  ;(await memory.take()).release()
})

it('gives up an upload that holds its place for too long, but only where others wait', async () => {
  const memory = new HeaderMemory({ places: 1, holdMs: 0 })
  const slow = await memory.take()
  expect(() => slow.demandInTime()).not.toThrow()
  const waiting = memory.take()
  expect(() => slow.demandInTime()).toThrow(/too slowly/)
  slow.release()
  ;(await waiting).release()
})
