import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { PrivateAddressError, resolveHost } from '../webhook/public-address.ts'

type FetchFault = 'UNREACHABLE' | 'TIMEOUT' | 'PRIVATE_ADDRESS' | 'REDIRECT' | 'TOO_LARGE' | 'INSECURE_ADDRESS'

/** A provider of identities did not answer, or in a way that is not taken. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure'
  readonly fault: FetchFault
  constructor(fault: FetchFault) {
    super(fault)
    this.fault = fault
  }
}

interface Asked {
  method: string
  headers: Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
}

/** Documents, keys and tokens of providers are some kilobytes. */
const mostBytes = 1_000_000

/**
 * Asks a provider of identities: over https alone unless private addresses are allowed, with no redirect followed, no proxy
 * used, the whole answer within a time and a size, and a connection to the very addresses that were looked at.
 * @throws FetchFailure
 */
export async function fetchGuarded(
  address: string,
  asked: Asked,
  { allowsPrivate, timeoutMs = 10_000 }: { allowsPrivate: boolean; timeoutMs?: number },
): Promise<Response> {
  const url = new URL(address)
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:'))
    throw new FetchFailure('INSECURE_ADDRESS')
  const limit = AbortSignal.timeout(timeoutMs)
  const signal = asked.signal ? AbortSignal.any([asked.signal, limit]) : limit
  try {
    return await exchange(url, asked, allowsPrivate, signal)
  } catch (error) {
    if (error instanceof FetchFailure) throw error
    if (error instanceof PrivateAddressError) throw new FetchFailure('PRIVATE_ADDRESS')
    // a body that is cut off by the limit fails as a broken connection does
    throw new FetchFailure(signal.aborted ? 'TIMEOUT' : 'UNREACHABLE')
  }
}

async function exchange(url: URL, asked: Asked, allowsPrivate: boolean, signal: AbortSignal): Promise<Response> {
  const addresses = await resolveHost(url.hostname, { allowsPrivate, signal })
  const body = asked.body === undefined || asked.body === null ? undefined : bodyText(asked.body)
  const options: RequestOptions = {
    method: asked.method,
    agent: false,
    signal,
    headers: {
      ...asked.headers,
      'user-agent': 'Hilum',
      'accept-encoding': 'identity',
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    lookup: (_host, { all }, found) => {
      const [first] = addresses
      if (all) found(null, addresses)
      else found(null, first?.address ?? '', first?.family ?? 4)
    },
  }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, resolve)
    sent.on('error', reject)
    sent.end(body)
  })
  try {
    const status = answer.statusCode ?? 0
    if (status >= 300 && status < 400) throw new FetchFailure('REDIRECT')
    const bytes = await readWithin(answer)
    const type = answer.headers['content-type'] ?? ''
    return new Response(status === 204 ? null : bytes, { status, headers: { 'content-type': type } })
  } finally {
    answer.destroy()
  }
}

function bodyText(body: unknown): string {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('providers are sent forms alone')
}

async function readWithin(answer: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length
    if (size > mostBytes) throw new FetchFailure('TOO_LARGE')
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
