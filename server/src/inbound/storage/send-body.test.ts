import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { sendBody } from './send-body.ts'

const CHUNK_BYTES = 256 * 1024
const app = () => Fastify({ forceCloseConnections: true })
let running: ReturnType<typeof app> | undefined
afterEach(() => running?.close())

async function serve(makeBody: () => AsyncGenerator<Uint8Array>): Promise<string> {
  running = app()
  running.get('/', (request, reply) => sendBody(request, reply.type('application/octet-stream'), makeBody()))
  return running.listen({ host: '127.0.0.1', port: 0 })
}

const open = (address: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { agent: false }, resolve).on('error', reject)
  })

test('a reader who takes its time gets each chunk as it was, although its memory is used again for the next', async () => {
  const address = await serve(async function* () {
    const chunk = new Uint8Array(CHUNK_BYTES)
    for (let number = 0; number < 40; number++) yield chunk.fill(number)
  })
  const answer = await open(address)
  // the sockets between are full by then
  await new Promise((resolve) => setTimeout(resolve, 50))
  const bytes = await buffer(answer)
  const expected = Buffer.concat(Array.from({ length: 40 }, (_, number) => Buffer.alloc(CHUNK_BYTES, number)))
  expect(bytes.equals(expected)).toBe(true)
})

test('a reader who goes away ends the making of what is left', async () => {
  const ended = Promise.withResolvers<number>()
  const address = await serve(async function* () {
    let made = 0
    try {
      for (; made < 10_000; made++) yield new Uint8Array(CHUNK_BYTES)
    } finally {
      ended.resolve(made)
    }
  })
  const answer = await open(address)
  answer.destroy()
  expect(await ended.promise).toBeLessThan(10_000)
})

test('a body that cannot begin is answered with a status of its own; one that breaks is cut', async () => {
  const broken = await serve(() => failAfter([]))
  expect((await open(broken)).statusCode).toBe(500)
  await running?.close()
  const cut = await serve(() => failAfter([new Uint8Array(10)]))
  await expect(open(cut).then(buffer)).rejects.toMatchObject({ code: 'ECONNRESET' })
})

async function* failAfter(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
  throw new Error('the file ends early')
}
