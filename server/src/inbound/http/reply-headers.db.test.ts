import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, test } from 'vitest'
import { requestOf } from '../../../test/door-samples.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { buildProbeApp } from './app.ts'

/* Headers of every reply of every door on keeping it, whatever its status: whole, in part, unchanged or refused. */

const { app, services, call } = await startTestApp({ HILUM_TRUSTED_PROXIES: '127.0.0.1' })
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const { sid, email } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const study = '2.25.4711'
const target = {
  namespace: group.namespaceUuid,
  study,
  series: `${study}.1`,
  instance: `${study}.1.1`,
  imageVersion: '*',
  attachment: '00000000-0000-4000-8000-000000000000',
  attachmentVersion: '00000000-0000-4000-8000-000000000000',
  upload: '00000000-0000-4000-8000-000000000000',
  report: '00000000-0000-4000-8000-000000000000',
}
await fetch(`${origin}/api/v3/storage/namespace/${group.namespaceUuid}/image?sid=${sid}`, {
  method: 'POST',
  body: new Uint8Array(madeImage({ studyUid: study, number: 1 })),
})

/** Doors to pixels, which a browser may keep while it asks each time whether it still may show them. */
const pixels = /\/frame\/|\/frames\/|\/thumbnail$|\/rendered$|\/video$/
/** Doors to our own files, which hold nothing of anybody. */
const files = /^\/(viewer\/\*|proviewer\/\*|)$/

const asked: Record<string, string>[] = [
  {},
  { authorization: `Bearer ${sid}` },
  { authorization: `Bearer ${sid}`, range: 'bytes=0-1' },
  { authorization: `Bearer ${sid}`, range: 'bytes=9999999-' },
  { authorization: `Bearer ${sid}`, 'if-none-match': '*' },
  { authorization: `Bearer ${sid}`, accept: 'nothing/known' },
]
// the handshake of a websocket is no reply, and deletes would end the walk
const doors = app.doors.filter(({ method, url }) => !url.includes('websocket') && method !== 'DELETE')

it.each([...doors, { method: 'DELETE', url: '/api/v3/*' }, { method: 'OPTIONS', url: '/dicomweb/:namespace/studies' }])(
  '$method $url lets nobody keep what is somebody’s',
  async (door) => {
    const { method, url, query, payload, headers } = requestOf(
      { ...door, url: door.url.replace(/(v3|storage|viewer)\/\*$/, '$1/nothing') },
      target,
    )
    for (const more of asked) {
      const reply = await fetch(`${origin}${url}?${new URLSearchParams(query)}`, {
        method,
        headers: { ...headers, ...more, 'x-forwarded-proto': 'https' },
        ...(payload === undefined ? {} : { body: payload }),
      })
      await reply.arrayBuffer()
      const said = Object.fromEntries(reply.headers)
      const how = `${reply.status} ${JSON.stringify(more).replace(sid, '')}`
      expect(said, `${how}`).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000',
      })
      const isCached = said['cache-control'] !== 'no-store'
      const mayCache =
        files.test(door.url) ||
        (pixels.test(door.url) && [200, 206, 304].includes(reply.status) && said.etag !== undefined)
      expect(isCached && !mayCache, `${how}: ${said['cache-control']}`).toBe(false)
      expect(['no-store', 'no-cache', 'private, no-cache']).toContain(said['cache-control'])
    }
  },
)

test('calls, refusals and addresses of nothing are kept nowhere', async () => {
  for (const [path, init] of [
    ['/api/v3/session/user?sid=made-up', {}],
    [`/api/v3/study/list`, { method: 'POST', headers: { authorization: `Bearer ${sid}` } }],
    ['/api/v3/session/login', { method: 'POST', body: new URLSearchParams({ login: email, password: 'wrong1234' }) }],
    ['/api/v3/bundle', { method: 'POST', body: '[', headers: { 'content-type': 'application/json' } }],
    ['/api/v3/study/list', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
    ['/nowhere.php', {}],
    ['/api/v3/%', {}],
    ['/api/v3/session/ttl', { method: 'PURGE' }],
  ] as [string, RequestInit][]) {
    const reply = await fetch(`${origin}${path}`, init)
    await reply.arrayBuffer()
    const said = Object.fromEntries(reply.headers)
    expect([path, said]).toMatchObject([path, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }])
    expect(said, 'over http').not.toHaveProperty('strict-transport-security')
  }
})

const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket'

test.each([
  ['bytes that are no request', 'GARBAGE\r\n\r\n', 400],
  ['headers that are too long', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`, 431],
  ['a header that cannot be', 'GET /api/v3/study/list HTTP/1.1\r\nHost: a\r\nX y: z\r\n\r\n', 400],
  ['a handshake without its key', `GET /channel/websocket HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n\r\n`, 400],
  ['a handshake for the page', `GET / HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n${key}\r\n\r\n`, 503],
  ['a request for no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['a call for no host', 'POST /api/v3/session/user HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}', 400],
  ['a handshake for no host', `GET /channel/websocket HTTP/1.1\r\n${upgrade}\r\n${key}\r\n\r\n`, 400],
  ['an expectation that nobody knows', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n', 417],
  ['a handshake elsewhere', `GET /api/v3/x HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n${key}\r\n\r\n`, 404],
])('%s are answered like everything else', async (_what, sent, status) => {
  const held = await openConnections()
  // a client that never ends its own side
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', allowHalfOpen: true })
  socket.write(sent)
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  // by the server: nothing that is no request may hold a connection
  await once(socket, 'end')
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer).toMatch(/^cache-control: no-store\r$/m)
  expect(answer).toMatch(/^x-content-type-options: nosniff\r$/m)
  expect(answer).not.toMatch(/text\/html/)
  await expect.poll(openConnections).toBeLessThanOrEqual(held)
  socket.destroy()
})

function openConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

test('a client of HTTP/1.0 names no host and is served', async () => {
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' })
  socket.write('GET /.well-known/security.txt HTTP/1.0\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(String(answer)).toMatch(/^HTTP\/1\.[01] 200 /)
  socket.destroy()
})

test('a process without pages answers a request for no host like everything else', async () => {
  const probes = await buildProbeApp(services)
  const { port } = new URL(await probes.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect({ port: Number(port), host: '127.0.0.1' })
  socket.write('GET /metrics HTTP/1.1\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  await probes.close()
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /)
  expect(String(answer)).toMatch(/^cache-control: no-store\r$/m)
})

test('a request on an open connection, while the server closes, is answered like everything else', async () => {
  const own = await startTestApp()
  let end = () => {}
  const held = new Promise<void>((resolve) => (end = resolve))
  own.app.addHook('preClose', () => held)
  const { port } = new URL(await own.app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect({ port: Number(port), host: '127.0.0.1' })
  await once(socket, 'connect')
  const closing = own.app.close()
  socket.write('GET /.well-known/security.txt HTTP/1.1\r\nHost: a\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  end()
  await closing
  expect(String(answer)).toMatch(/^HTTP\/1\.1 503 /)
  expect(String(answer)).toMatch(/^cache-control: no-store\r$/m)
  expect(String(answer)).toMatch(/^retry-after: \d+\r$/m)
})

test('whoever signs in next is asked again before a kept picture is shown', async () => {
  const address = `${origin}/api/v3/storage/study/${group.namespaceUuid}/${study}/image/${study}.1.1/version/*/frame/0`
  const first = await fetch(address, { headers: { authorization: `Bearer ${sid}` } })
  await first.arrayBuffer()
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  const etag = String(first.headers.get('etag'))
  const again = async (by: string) =>
    (await fetch(address, { headers: { authorization: `Bearer ${by}`, 'if-none-match': etag } })).status
  expect(await again(sid)).toBe(304)
  const next = await organisation.addPerson({ role: 'Administrator' })
  expect(await again(next.sid)).toBe(403)
  await call('session/logout', { sid })
  expect(await again(sid)).toBe(403)
})

test('a contact for weaknesses is named', async () => {
  const text = await (await fetch(`${origin}/.well-known/security.txt`)).text()
  expect(text).toMatch(/^Contact: http:\/\/.+\/help\nExpires: \d{4}-\d\d-\d\dT.+Z\n/)
  const own = await startTestApp({ HILUM_SECURITY_CONTACT: 'mailto:security@hospital.example' })
  const { body } = await own.app.inject('/.well-known/security.txt')
  expect(body).toMatch(/^Contact: mailto:security@hospital\.example\n/)
})
