import { createHmac } from 'node:crypto'
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { WebhookMethod } from '@hilum/contract/calls/webhook'
import type { ResolvedAddress } from '../resolve-name.ts'
import { PrivateAddressError, resolveHost } from './public-address.ts'

/** A call of an address of an outside service. */
export interface WebhookCall {
  url: string
  method: WebhookMethod
  secret: string
  delivery: string
  /** The body of a call: names and texts. */
  fields: Readonly<Record<string, string>>
  at: Date
}

/** An answer, or why there was none. */
interface WebhookAnswer {
  /** 0 without an answer. */
  status: number
  /** BAD_STATUS, REDIRECT, PRIVATE_ADDRESS, TIMEOUT, UNREACHABLE, or empty for an answer of 2xx. */
  error: string
}

const timeoutMs = 10_000

/**
 * Calls an address once. The request follows no redirect, uses no proxy, keeps nothing of the answer but its status,
 * and connects to the very addresses that were looked at.
 */
export async function sendWebhook(
  call: WebhookCall,
  { allowsPrivate, signal }: { allowsPrivate: boolean; signal: AbortSignal },
): Promise<WebhookAnswer> {
  try {
    const url = new URL(call.url)
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const addresses = await resolveHost(url.hostname, { allowsPrivate, signal: limited })
    const status = await exchange(url, call, addresses, limited)
    if (status >= 200 && status < 300) return { status, error: '' }
    return { status, error: status >= 300 && status < 400 ? 'REDIRECT' : 'BAD_STATUS' }
  } catch (error) {
    if (error instanceof PrivateAddressError) return { status: 0, error: 'PRIVATE_ADDRESS' }
    signal.throwIfAborted()
    const name = error instanceof Error ? error.name : ''
    return { status: 0, error: name === 'TimeoutError' || name === 'AbortError' ? 'TIMEOUT' : 'UNREACHABLE' }
  }
}

/** The signature of a call: HMAC-SHA256 of the time, a dot and the body, of a GET the path with its query. */
export function signatureOf(secret: string, timestamp: string, signed: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${signed}`).digest('hex')}`
}

function exchange(url: URL, call: WebhookCall, addresses: ResolvedAddress[], signal: AbortSignal): Promise<number> {
  const { method, body, type } = shapeOf(call, url)
  const timestamp = String(Math.floor(call.at.getTime() / 1000))
  const options: RequestOptions = {
    method,
    agent: false,
    signal,
    headers: {
      'user-agent': 'Hilum',
      ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
      'x-hilum-delivery': call.delivery,
      'x-hilum-timestamp': timestamp,
      'x-hilum-signature': signatureOf(call.secret, timestamp, body ?? `${url.pathname}${url.search}`),
    },
    lookup: (_host, { all }, found) => {
      const [first] = addresses
      if (all) found(null, addresses)
      else found(null, first?.address ?? '', first?.family ?? 4)
    },
  }
  return new Promise((resolve, reject) => {
    const handleAnswer = (answer: IncomingMessage) => {
      resolve(answer.statusCode ?? 0)
      answer.destroy()
    }
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, handleAnswer)
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The body of a call; a GET gets the fields into its query. */
function shapeOf(call: WebhookCall, url: URL): { method: string; body?: string; type: string } {
  switch (call.method) {
    case 'GET':
    case 'GET_JSON':
      for (const [name, value] of Object.entries(call.fields)) url.searchParams.set(name, value)
      return { method: 'GET', type: '' }
    case 'POST':
      return {
        method: 'POST',
        body: new URLSearchParams(call.fields).toString(),
        type: 'application/x-www-form-urlencoded',
      }
    default:
      return {
        method: call.method === 'PUT' ? 'PUT' : 'POST',
        body: JSON.stringify(call.fields),
        type: 'application/json',
      }
  }
}
