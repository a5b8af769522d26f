import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { takeWebBuild } from '../../web-build.ts'
import { buildApp } from './app.ts'
import { listen } from './listen.ts'

const { services } = await startTestApp({ HILUM_PORT: '0', HILUM_HTTPS_PORT: '0' })
const app = await buildApp(services, { web: takeWebBuild(services.config.dataFolder), viewer: { folder: undefined } })
const listeners = await listen(app, services.config)
const { port } = new URL(listeners.address)
const sockets: Socket[] = []
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await listeners.close()
  await app.close()
})
const organisation = await makeOrganisation(services.db)
const { sid } = await organisation.addPerson()

/** Somebody who only wants an answer. */
async function answersOthers(): Promise<boolean> {
  const body = new URLSearchParams({ sid })
  const reply = await fetch(`${listeners.address}/api/v3/session/user`, { method: 'POST', body })
  return reply.status === 200
}

/** Sends bytes and gives the first line of what comes back. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return chunk.toString().split('\r\n')[0] ?? ''
}

async function postJson(path: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${listeners.address}/api/v3/${path}`, { method: 'POST', headers, body })
  await reply.text()
  return reply.status
}

test('heads that are too large, too many or no HTTP are refused', async () => {
  const flood = Array.from({ length: 3_000 }, (_, index) => `X-Flood-${index}: ${index}`).join('\r\n')
  expect(await sendRaw(`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'y'.repeat(100_000)}\r\n\r\n`)).toMatch(/ 431 /)
  expect(await sendRaw(`GET / HTTP/1.1\r\nHost: a\r\n${flood}\r\n\r\n`)).toMatch(/ 431 /)
  expect(await sendRaw(`GET /${'z'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatch(/ 431 /)
  expect(await sendRaw('\0\x01\x02\x03 nothing of the kind\r\n\r\n')).toMatch(/ 400 /)
  expect(await sendRaw('POST /api/v3/session/user HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n')).toMatch(/ 400 /)
  const both = 'Content-Length: 5\r\nTransfer-Encoding: chunked'
  expect(await sendRaw(`POST /api/v3/session/user HTTP/1.1\r\nHost: a\r\n${both}\r\n\r\n0\r\n\r\n`)).toMatch(/ 400 /)
  expect(await answersOthers()).toBe(true)
})

test('a body of 4 GB is refused before it comes', async () => {
  for (const path of ['api/v3/session/user', 'api/v3/bundle', 'api/v3/storage/namespace/x/no-such-route']) {
    const length = String(4 * 1024 ** 3)
    const sending = request(`${listeners.address}/${path}`, { method: 'POST', headers: { 'content-length': length } })
    sending.on('error', () => undefined)
    sending.flushHeaders()
    const [reply] = await once(sending, 'response')
    expect([path, reply.statusCode]).toEqual([
      path,
      expect.toSatisfy((status: number) => status >= 400 && status < 500),
    ])
    sending.destroy()
  }
  expect(await answersOthers()).toBe(true)
})

test('values nested ten thousand deep, and far deeper, are read or refused as any wrong value', async () => {
  for (const depth of [10_000, 300_000]) {
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`
    const objects = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    for (const value of [deep, objects]) {
      const statuses = [
        await postJson('session/user', value),
        await postJson('session/user', `{"sid":${value}}`),
        await postJson('study/list', `{"sid":"${sid}","filter.patient_name.like":${value}}`),
        await postJson('bundle', `[${value}]`),
      ]
      expect([depth, statuses]).toEqual([depth, statuses.map((status) => Math.min(status, 499))])
    }
  }
  expect(await answersOthers()).toBe(true)
})

test('hundreds of connections that never finish their request keep nobody out', async () => {
  const beginnings = [
    'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ',
    'POST /api/v3/session/user HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"sid"',
    'POST /api/v3/session/user HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\nx',
    'P',
  ]
  for (let count = 0; count < 400; count += 1) {
    const socket = connect({ host: '127.0.0.1', port: Number(port) })
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(beginnings[count % beginnings.length] ?? '')
  }
  expect(await answersOthers()).toBe(true)
})
