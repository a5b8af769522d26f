import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { withIdleLimit } from './idle-limit.ts'

test('a body that comes steadily passes unchanged', async () => {
  const body = new PassThrough()
  const read = buffer(withIdleLimit(body, { idleMs: 1000, minBytesPerSecond: 1 }))
  body.write('one ')
  body.end('two')
  expect(String(await read)).toBe('one two')
})

test('a body that stops is given up with a reason', async () => {
  const body = new PassThrough()
  const read = buffer(withIdleLimit(body, { idleMs: 30, minBytesPerSecond: 1 }))
  body.write('begun')
  await expect(read).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('too slowly') })
})

test('a body that trickles is given up although it never stops', async () => {
  const body = new PassThrough()
  const read = buffer(withIdleLimit(body, { idleMs: 40, minBytesPerSecond: 100_000 }))
  const drip = setInterval(() => body.write('x'), 5)
  await expect(read).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  clearInterval(drip)
})
