import { expect, it, vi } from 'vitest'
import type { EmbeddedPostgres } from './embedded-postgres.ts'
import { type SupervisionEvent, supervisePostgres } from './supervise-postgres.ts'

/** A database that can be ended, and made to refuse its next starts. */
function fakeDatabase() {
  const sockets: (string | undefined)[] = []
  const told: SupervisionEvent[] = []
  const running: { end: () => void }[] = []
  let refusals = 0
  let room = 0
  const start = async (socketFolder?: string): Promise<EmbeddedPostgres> => {
    sockets.push(socketFolder)
    if (refusals > 0) {
      refusals -= 1
      throw new Error('No room')
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    running.push({ end: resolve })
    return {
      url: 'postgresql://fake',
      socketFolder: '/socket',
      major: 18,
      pid: running.length,
      ended: promise,
      isStopping: () => false,
      stop: async () => resolve(),
    }
  }
  return {
    sockets,
    told,
    supervise: () =>
      supervisePostgres({
        start,
        makeRoom: async () => room-- > 0,
        tell: (event) => told.push(event),
        firstDelayMs: 1,
      }),
    end: () => running.at(-1)?.end(),
    starts: () => running.length,
    refuse: (count: number) => (refusals = count),
    keepRoom: (count: number) => (room = count),
  }
}

it('starts the database again at its address, however often it ends or cannot start', async () => {
  const fake = fakeDatabase()
  const supervised = await fake.supervise()
  for (const refusals of [0, 0, 3]) {
    const before = fake.starts()
    fake.refuse(refusals)
    fake.end()
    await vi.waitFor(() => expect(fake.starts()).toBe(before + 1))
    await vi.waitFor(() => expect(supervised.pid()).toBe(before + 1))
  }
  expect(fake.sockets).toEqual([undefined, ...Array(6).fill('/socket')])
  const again: SupervisionEvent[] = ['ended', 'started again']
  expect(fake.told).toEqual([...again, ...again, 'ended', ...Array(3).fill('not started'), 'started again'])
  await supervised.stop()
  expect(fake.starts()).toBe(4)
})

it('gives room that was kept before the first start fails', async () => {
  const fake = fakeDatabase()
  fake.refuse(1)
  await expect(fake.supervise()).rejects.toThrow('No room')
  fake.keepRoom(1)
  fake.refuse(1)
  const supervised = await fake.supervise()
  expect(fake.starts()).toBe(1)
  await supervised.stop()
})

it('starts nothing more once it is stopped, also while it waits to', async () => {
  const fake = fakeDatabase()
  const supervised = await fake.supervise()
  fake.refuse(1_000_000)
  fake.end()
  await vi.waitFor(() => expect(fake.told).toContain('not started'))
  await supervised.stop()
  const { length } = fake.sockets
  await new Promise((resolve) => setImmediate(resolve))
  expect(fake.sockets).toHaveLength(length)
  expect(fake.starts()).toBe(1)
})
