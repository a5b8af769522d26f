import { Readable } from 'node:stream'
import { maxCallBodyBytes, maxSessionlessBodyBytes } from '@hilum/contract/limits'
import { expect, it, vi } from 'vitest'
import { CallBodyError, readCallBody } from './read-call-body.ts'

const chunkBytes = 4096

/** A body that tells how much of it was asked for. */
function openBody(chunk: string, count: number) {
  let given = 0
  const bytes = Buffer.from(chunk.repeat(Math.ceil(chunkBytes / chunk.length)))
  async function* chunks() {
    for (; given < count; ) {
      given += 1
      yield bytes
    }
  }
  const body = Readable.from(chunks(), { objectMode: false, highWaterMark: chunkBytes })
  return { body, takenBytes: () => given * bytes.length }
}

const rules = { isJson: true, contentLength: undefined, mayGoOn: async () => true }
const refuse = async () => {
  throw new CallBodyError(401, 'No session')
}

it('reads 64 KB of a body of megabytes without a live session', async () => {
  const mayGoOn = vi.fn(refuse)
  for (const isJson of [true, false]) {
    const { body, takenBytes } = openBody('"a" ', 1000)
    await expect(readCallBody(body, { ...rules, isJson, mayGoOn })).rejects.toMatchObject({ statusCode: 401 })
    expect(takenBytes()).toBeLessThan(maxSessionlessBodyBytes + 5 * chunkBytes)
    expect(body.destroyed).toBe(false)
  }
  expect(mayGoOn).toHaveBeenCalledTimes(2)
})

it('asks for no session where little is sent, and once where much is', async () => {
  const mayGoOn = vi.fn(async () => true)
  expect(await readCallBody(Readable.from([Buffer.from('{"a":1}')]), { ...rules, mayGoOn })).toEqual({ a: 1 })
  expect(mayGoOn).not.toHaveBeenCalled()
  const text = JSON.stringify({ a: 'x'.repeat(1_000_000) })
  const chunks = Array.from({ length: 20 }, (_, at) => Buffer.from(text.slice(at * 60_000, (at + 1) * 60_000)))
  expect(await readCallBody(Readable.from(chunks), { ...rules, mayGoOn })).toEqual(JSON.parse(text))
  expect(mayGoOn).toHaveBeenCalledTimes(1)
})

it.each(['[', '{"a":', '[],', '{"abc":1},'])(
  'stops reading early in %s repeated, also for a live session',
  async (sign) => {
    for (const isJson of [true, false]) {
      const { body, takenBytes } = openBody(sign, 1000)
      const start = Readable.from(
        (async function* () {
          yield Buffer.from('[')
          yield* body.iterator({ destroyOnReturn: false })
        })(),
      )
      await expect(readCallBody(start, { ...rules, isJson })).rejects.toMatchObject({ statusCode: 400 })
      expect(takenBytes()).toBeLessThan(1_000_000)
    }
  },
)

it('reads nothing of what is announced as too large, and stops at the limit of what is not', async () => {
  const announced = openBody('x', 2000)
  await expect(readCallBody(announced.body, { ...rules, contentLength: maxCallBodyBytes + 1 })).rejects.toMatchObject({
    statusCode: 413,
  })
  expect(announced.takenBytes()).toBeLessThanOrEqual(2 * chunkBytes)
  const untold = openBody('"x" ', 2000)
  await expect(readCallBody(untold.body, rules)).rejects.toMatchObject({ statusCode: 413 })
  expect(untold.takenBytes()).toBeLessThan(maxCallBodyBytes + 5 * chunkBytes)
})

it.each([
  ['a form', 'a=1&b=x+y&a=2', { a: ['1', '2'], b: 'x y' }],
  ['JSON without its type', ' [{"a":1}]', [{ a: 1 }]],
  ['a form that begins like JSON', '[x]=1', { '[x]': '1' }],
  ['nothing', '', {}],
])('reads %s', async (_, text, value) => {
  expect(await readCallBody(Readable.from([Buffer.from(text)]), { ...rules, isJson: false })).toEqual(value)
})
