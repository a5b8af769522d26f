import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { fetchGuarded } from './guarded-fetch.ts'

let answer: (reply: ServerResponse) => void = () => undefined
const server = createServer((_request, reply) => answer(reply))
await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const ask = (address = here, allowsPrivate = true) =>
  fetchGuarded(address, { method: 'GET', headers: {} }, { allowsPrivate, timeoutMs: 300 })

it('ends with the time when nothing comes, and when the answer never ends', async () => {
  answer = () => undefined
  await expect(ask()).rejects.toMatchObject({ fault: 'TIMEOUT' })
  answer = (reply) => {
    reply.writeHead(200, { 'content-type': 'application/json' })
    const drops = setInterval(() => reply.write(' '), 20)
    reply.on('close', () => clearInterval(drops))
  }
  await expect(ask()).rejects.toMatchObject({ fault: 'TIMEOUT' })
})

it('follows nothing, and takes no more than a megabyte', async () => {
  answer = (reply) => void reply.writeHead(307, { location: here }).end()
  await expect(ask()).rejects.toMatchObject({ fault: 'REDIRECT' })
  answer = (reply) => void reply.writeHead(200).end('x'.repeat(1_000_001))
  await expect(ask()).rejects.toMatchObject({ fault: 'TOO_LARGE' })
  answer = (reply) => void reply.writeHead(200).end('x'.repeat(1_000_000))
  expect((await (await ask()).text()).length).toBe(1_000_000)
})

it.each([
  '127.0.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '169.254.169.254',
  '2130706433',
  '0x7f.1',
  'localhost',
  '10.0.0.1',
])('asks nobody at %s unless private addresses are allowed', async (host) => {
  await expect(ask(`https://${host}/`, false)).rejects.toMatchObject({ fault: 'PRIVATE_ADDRESS' })
  await expect(ask(`http://${host}/`, false)).rejects.toMatchObject({ fault: 'INSECURE_ADDRESS' })
})
