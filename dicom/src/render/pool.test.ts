import { afterEach, describe, expect, test } from 'vitest'
import { createRenderPool, type RenderPool, type RenderPoolOptions } from './pool.ts'

const workerFile = new URL('./misbehaving-worker.ts', import.meta.url)
let pool: RenderPool | undefined

function start(options: RenderPoolOptions = {}): RenderPool {
  pool = createRenderPool({ size: 1, timeLimitMs: 5000, workerFile, ...options })
  return pool
}

afterEach(() => pool?.close())

describe('a pool of renderers', () => {
  test.each([
    ['hang', 'timedOut'],
    ['die', 'crashed'],
    ['throw', 'crashed'],
    ['eat', 'crashed'],
  ])('survives a job that makes its worker %s', async (path, fault) => {
    const { thumbnail } = start({ timeLimitMs: path === 'hang' ? 1500 : 20_000, maxHeapMb: 32 })
    const bad = thumbnail({ path })
    const good = thumbnail({ path: 'fine' })
    await expect(bad).rejects.toMatchObject({ name: 'RenderError', fault })
    expect(await good).toMatchObject({ frameCount: 1 })
  })

  test('drops a waiting job that is cancelled and runs the next', async () => {
    const { thumbnail } = start()
    const controller = new AbortController()
    const first = thumbnail({ path: 'fine' })
    const cancelled = thumbnail({ path: 'hang' }, { signal: controller.signal })
    const last = thumbnail({ path: 'fine' })
    controller.abort()
    await expect(cancelled).rejects.toMatchObject({ fault: 'cancelled' })
    expect(await first).toMatchObject({ frameCount: 1 })
    expect(await last).toMatchObject({ frameCount: 1 })
  })

  test('answers the caller of a running job at once when it is cancelled', async () => {
    const { thumbnail } = start()
    const controller = new AbortController()
    const running = thumbnail({ path: 'wait' }, { signal: controller.signal })
    controller.abort()
    await expect(running).rejects.toMatchObject({ fault: 'cancelled' })
    const aborted = thumbnail({ path: 'fine' }, { signal: AbortSignal.abort() })
    await expect(aborted).rejects.toMatchObject({ fault: 'cancelled' })
  })

  test('refuses further jobs when too many wait', async () => {
    const busy = start({ maxWaiting: 1 })
    const jobs = [busy.thumbnail({ path: 'fine' }), busy.thumbnail({ path: 'fine' })]
    expect(busy.waiting).toBe(1)
    await expect(busy.thumbnail({ path: 'fine' })).rejects.toMatchObject({ fault: 'busy' })
    expect(await Promise.all(jobs)).toHaveLength(2)
  })

  test('gives owners their turns, however many one of them asked for first', async () => {
    const { thumbnail } = start({ size: 1 })
    const order: string[] = []
    const ask = (owner: string) => thumbnail({ path: 'fine' }, { owner }).then(() => order.push(owner))
    await Promise.all([...Array.from({ length: 100 }, () => ask('many')), ask('one')])
    expect(order.indexOf('one')).toBeLessThanOrEqual(2)
    expect(order).toHaveLength(101)
  })

  test('when too many wait, refuses those of who asked for most, not of who asks for one', async () => {
    const { thumbnail } = start({ maxWaiting: 10 })
    const many = Promise.allSettled(Array.from({ length: 50 }, () => thumbnail({ path: 'fine' }, { owner: 'many' })))
    expect(await thumbnail({ path: 'fine' }, { owner: 'one' })).toMatchObject({ frameCount: 1 })
    const outcomes = await many
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(10)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(new Set(refused.map(({ reason }) => reason.fault))).toEqual(new Set(['busy']))
  })

  test('rejects what runs and waits when it closes, and everything after', async () => {
    const closing = start()
    const outcomes = Promise.allSettled([closing.thumbnail({ path: 'wait' }), closing.thumbnail({ path: 'fine' })])
    await closing.close()
    expect((await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason.fault)).toEqual([
      'closed',
      'closed',
    ])
    await expect(closing.frame({ path: 'fine', frame: 0 })).rejects.toMatchObject({ fault: 'closed' })
  })

  test('says in words that a file is missing', async () => {
    const { thumbnail } = start({ workerFile: undefined })
    await expect(thumbnail({ path: '/nowhere/missing.dcm' })).rejects.toMatchObject({
      name: 'RenderError',
      fault: 'unreadable',
      message: 'The file cannot be read (ENOENT).',
    })
  })
})
