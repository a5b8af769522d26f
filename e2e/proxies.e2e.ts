import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { type IncomingMessage, type RequestOptions } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { callWell, listStudies, openSession } from './support/call.ts'
import { uploadLarge } from './support/killed-work.ts'
import { makeImage } from './support/made-disc.ts'
import { type ProxyName, proxyPrograms, type RunningProxy, startProxy } from './support/proxies.ts'
import { emailOf } from './support/sign-in.ts'
import { startDemo } from './support/start-demo.ts'
import { findFreePort, password, type RunningServer } from './support/start-server.ts'

/** An address of this machine that is no proxy's. */
const personsAddress = '127.0.0.7'
const GB = 1024 ** 3
const MB = 1024 ** 2
/** Of TLS: the name that the proxy is asked for, and no look at who signed its certificate. */
const atProxy = { servername: 'localhost', rejectUnauthorized: false }
const names = Object.keys(proxyPrograms) as ProxyName[]

let server: RunningServer
let sid = ''
let namespace = ''
beforeAll(async () => {
  server = await startDemo({ HILUM_TRUSTED_PROXIES: '127.0.0.1' })
  sid = await openSession(server.address, 'staff')
  const { namespaces } = await callWell(server.address, 'user/namespace/list', { sid })
  namespace =
    (namespaces as { uuid: string; name: string }[]).find(({ name }) => name === 'Emergency Department')?.uuid ?? ''
})
afterAll(() => server.close())

/** Bytes that lie in the store and in folders of uploads. */
function storedBytes(): number {
  const folder = join(server.dataFolder, 'objects')
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .reduce((sum, one) => sum + statSync(join(one.parentPath, one.name)).size, 0)
}

describe.each(names.filter((one) => existsSync(proxyPrograms[one])))('the example of docs/ for %s', (name) => {
  let proxy: RunningProxy
  beforeAll(async () => {
    proxy = await startProxy(name, server)
  })
  afterAll(() => proxy?.close())

  const begin = (path: string, options: RequestOptions = {}) =>
    request({
      host: '127.0.0.1',
      port: proxy.port,
      localAddress: personsAddress,
      ...atProxy,
      path,
      ...options,
      headers: { host: `localhost:${proxy.port}`, ...options.headers },
    })
  const ask = async (path: string, options: RequestOptions = {}, body?: string | Uint8Array) => {
    const sending = begin(path, options)
    sending.end(body)
    const [reply] = (await once(sending, 'response')) as [IncomingMessage]
    return { status: reply.statusCode, headers: reply.headers, bytes: await buffer(reply) }
  }

  it('tells the caller’s address, the host and https, whatever the caller claims', async () => {
    const forged = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' }
    const login = JSON.stringify({ login: emailOf('clinician'), password })
    const headers = { 'content-type': 'application/json', ...forged }
    const reply = await ask('/api/v3/session/login', { method: 'POST', headers }, login)
    expect(reply.status).toBe(200)
    expect(reply.headers['set-cookie']?.[0]).toMatch(/; Secure/)
    expect(reply.headers['strict-transport-security']).toContain('max-age=')
    const { sid: own } = JSON.parse(reply.bytes.toString()) as { sid: string }
    const { sessions } = await callWell(server.address, 'session/list', { sid: own })
    const [current] = sessions as { is_current: number; client_address: string }[] // the wire's
    expect(current).toMatchObject({ is_current: 1, client_address: personsAddress })
  })

  it('takes a body of 3 GB to its end', async () => {
    const studyUid = newUid()
    const image = { studyUid, sopUid: newUid(), name: 'WHOLE^PROXY', side: 2048 }
    // the same image again and again: read, taken for what is stored already, and kept once
    const part = Buffer.concat([
      Buffer.from('--part\r\ncontent-type: application/dicom\r\n\r\n'),
      makeImage(image),
      Buffer.from('\r\n'),
    ])
    const end = Buffer.from('--part--\r\n')
    const parts = Math.ceil((3 * GB) / part.length)
    const sending = begin(`/dicomweb/${namespace}/studies`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sid}`,
        'content-type': 'multipart/related; type="application/dicom"; boundary=part',
        'content-length': parts * part.length + end.length,
      },
    })
    const reply = once(sending, 'response') as Promise<[IncomingMessage]>
    const isRefused = reply.then(() => true)
    for (let sent = 0; sent < parts; sent++)
      if (!sending.write(part) && (await Promise.race([once(sending, 'drain'), isRefused])) === true) break
    sending.end(end)
    const [answer] = await reply
    const { '00081199': stored } = JSON.parse((await buffer(answer)).toString()) as { '00081199': { Value: object[] } }
    expect([answer.statusCode, stored.Value.length]).toEqual([200, parts])
    await expect
      .poll(async () => (await listStudies(server.address, sid)).find((one) => one.study_uid === studyUid)?.image_count)
      .toBe(1)
  }, 900_000)

  it('passes a large body on while it comes', async () => {
    const before = storedBytes()
    const upload = `/api/v3/storage/namespace/${namespace}/image?sid=${sid}`
    const studyUid = newUid()
    const length = 3 * GB
    const start = makeImage({ name: 'LARGE^PROXY', studyUid })
    const sending = begin(upload, { method: 'POST', headers: { 'content-length': length } })
    const reply = once(sending, 'response').then(
      ([one]) => (one as IncomingMessage).statusCode,
      () => undefined,
    )
    // an image that is whole is refused for the bytes behind it; so this one says that its pixels are 3 GB
    sending.write(withPixels(start, length))
    const piece = Buffer.alloc(MB, 7)
    for (let sent = 0; sent < 48; sent++) if (!sending.write(piece)) await once(sending, 'drain')
    await expect.poll(() => storedBytes() - before, { timeout: 60_000 }).toBeGreaterThan(32 * MB)
    expect(await Promise.race([reply, wait(100, 'not answered')])).toBe('not answered')
    expect(readdirSync(proxy.folder, { recursive: true }).filter((one) => /\d{10}$/.test(String(one)))).toEqual([])
    sending.destroy()
    await expect.poll(storedBytes, { timeout: 60_000 }).toBe(before)
    expect((await listStudies(server.address, sid)).map((one) => one.study_uid)).not.toContain(studyUid)
  })

  it('gives ranges of an archive, and takes it up where it was cut', async () => {
    const studyUid = await uploadLarge(server, { sid, namespace })
    const path = `/api/v3/storage/study/${namespace}/${studyUid}/download?bundle=dicom&sid=${sid}`
    const whole = await ask(path)
    expect([whole.status, whole.bytes.length > 20 * MB]).toEqual([200, true])
    const range = { range: `bytes=${10 * MB}-`, 'if-range': String(whole.headers.etag) }
    const rest = await ask(path, { headers: range })
    expect([rest.status, rest.headers['content-range']]).toEqual([
      206,
      `bytes ${10 * MB}-${whole.bytes.length - 1}/${whole.bytes.length}`,
    ])
    expect(rest.bytes.equals(whole.bytes.subarray(10 * MB))).toBe(true)
  })

  it('leaves %2F in an address as it was written', async () => {
    const odd = [`study/${namespace}/1.2.3/attachment/latest/a%2Fb`, `study/${namespace}/1.2.3/attachment/latest/a/b`]
    const reasonsBy = async (from: (path: string) => Promise<string>) => {
      const replies = await Promise.all(odd.map((path) => from(`/api/v3/storage/${path}?sid=${sid}`)))
      return replies.map((text) => /"readable_status":"(\w+)"/.exec(text)?.[1])
    }
    expect(await reasonsBy(async (path) => (await fetch(`${server.address}${path}`)).text())).toEqual([
      'STUDY_NOT_FOUND',
      'NOT_FOUND',
    ])
    expect(await reasonsBy(async (path) => (await ask(path)).bytes.toString())).toEqual([
      'STUDY_NOT_FOUND',
      'NOT_FOUND',
    ])
  })

  it('writes no secret of a link, a reset or a session into its logs, not where Hilum is away either', async () => {
    const secret = 'k9secretQ7'
    const paths = [`/link/${secret}`, `/reset-password/${secret}`, `/api/v3/study/list?sid=${secret}`]
    const headers = { referer: `https://localhost/link/${secret}`, cookie: `sid=${secret}` }
    const gone = { address: `http://127.0.0.1:${await findFreePort()}`, dataFolder: server.dataFolder }
    const alone = await startProxy(name, gone)
    try {
      for (const at of [proxy, alone]) for (const path of paths) await ask(path, { port: at.port, headers })
      const { status } = await ask(String(paths[0]), { port: alone.port, headers })
      expect(status).toBe(502)
      // the log of requests, or of errors, is there
      await expect.poll(() => alone.logged()).toMatch(/\b502\b/)
      expect(proxy.logged()).not.toContain(secret)
      expect(alone.logged()).not.toContain(secret)
    } finally {
      await alone.close()
    }
  })

  it('lets the channel through, which tells of what comes', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${proxy.port}/api/v3/channel/websocket`, {
      ...atProxy,
      headers: { host: `localhost:${proxy.port}` },
    })
    const frames: Record<string, unknown>[] = []
    socket.on('message', (data) => frames.push(JSON.parse(String(data)) as Record<string, unknown>))
    await once(socket, 'open')
    socket.send(JSON.stringify({ action: 'subscribe', channel: `study.${namespace}`, sid }))
    await expect.poll(() => frames).toContainEqual({ status: 'OK', channel: `study.${namespace}` })
    const upload = `/api/v3/storage/namespace/${namespace}/image?sid=${sid}`
    const sent = await ask(upload, { method: 'POST' }, makeImage({ name: 'CHANNEL^PROXY' }))
    expect(sent.status).toBe(202)
    await expect.poll(() => frames.some((frame) => frame['event'] === 'STUDY')).toBe(true)
    socket.close()
  })
})

/** The image with its pixels said to be so long that the whole is `length` bytes; its own pixels are left out. */
function withPixels(image: Uint8Array, length: number): Buffer {
  const bytes = Buffer.from(image)
  const at = bytes.indexOf(Buffer.from([0xe0, 0x7f, 0x10, 0x00]))
  const head = Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from([0xe0, 0x7f, 0x10, 0x00, 0x4f, 0x57, 0, 0, 0, 0, 0, 0]),
  ])
  head.writeUInt32LE(length - head.length, head.length - 4)
  return head
}
