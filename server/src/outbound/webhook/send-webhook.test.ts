import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'
import { sendWebhook, signatureOf, type WebhookCall } from './send-webhook.ts'

let asked: { method: string | undefined; url: string | undefined; signature: string; at: string }[] = []
const server = createServer((request, answer) => {
  const { method, url, headers } = request
  asked.push({ method, url, signature: String(headers['x-hilum-signature']), at: String(headers['x-hilum-timestamp']) })
  if (url?.startsWith('/redirect')) answer.writeHead(307, { location: 'http://169.254.169.254/latest' }).end()
  else if (!url?.startsWith('/silent')) answer.end('x'.repeat(1000))
})
await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const call = (url: string, more: Partial<WebhookCall> = {}): WebhookCall => ({
  url,
  method: 'POST_JSON',
  secret: 'secret',
  delivery: 'd1',
  fields: { event: 'TEST' },
  at: new Date(),
  ...more,
})
const send = (one: WebhookCall, allowsPrivate = false, signal: AbortSignal = new AbortController().signal) =>
  sendWebhook(one, { allowsPrivate, signal })

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  'not an address',
])('takes %s for no public address', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

it('takes addresses of the internet for public ones', () => {
  for (const one of ['8.8.8.8', '172.32.0.1', '2606:4700::1']) expect(isPublicAddress(one)).toBe(true)
})

it('calls no private address, by number, in other writing, or by a name that leads there', async () => {
  const { port } = new URL(origin)
  asked = []
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]'])
    expect([host, await send(call(`http://${host}:${port}/`))]).toEqual([host, { status: 0, error: 'PRIVATE_ADDRESS' }])
  expect(asked).toEqual([])
})

it('follows no redirect, and gives up on who does not answer', async () => {
  asked = []
  expect(await send(call(`${origin}/redirect`), true)).toEqual({ status: 307, error: 'REDIRECT' })
  expect(asked).toHaveLength(1)
  expect(await send(call('http://127.0.0.1:1/'), true)).toEqual({ status: 0, error: 'UNREACHABLE' })
  await expect(send(call(`${origin}/silent`), true, AbortSignal.timeout(200))).rejects.toThrow(/timeout/)
})

it('signs as receivers reckon it: these signatures are of another program, `openssl dgst -sha256 -hmac secret`', async () => {
  asked = []
  const at = new Date('2025-11-29T09:20:00.900Z')
  await send(call(`${origin}/in`, { at }), true)
  await send(call(`${origin}/in?a=1`, { at, method: 'GET' }), true)
  expect(asked).toMatchObject([
    { at: '1764408000', signature: 'sha256=cbce4a7349da2d7ab96da0080eee9e804910ba3d6e0dfd4cdc57f0b67ea589ab' },
    { at: '1764408000', signature: 'sha256=2b298b6b127bd9805ad96d6bb8e99ac5b0c06dda8a4e07f1d9683cf04086a9fd' },
  ])
})

it('signs the body, or the path with its query', async () => {
  asked = []
  expect(await send(call(`${origin}/in`), true)).toEqual({ status: 200, error: '' })
  expect(await send(call(`${origin}/in?a=1`, { method: 'GET' }), true)).toEqual({ status: 200, error: '' })
  const [post, get] = asked
  expect(post?.signature).toBe(signatureOf('secret', post?.at ?? '', '{"event":"TEST"}'))
  expect(get).toMatchObject({ method: 'GET', url: '/in?a=1&event=TEST' })
  expect(get?.signature).toBe(signatureOf('secret', get?.at ?? '', '/in?a=1&event=TEST'))
})
