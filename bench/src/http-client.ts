import { Agent, type IncomingMessage, request } from 'node:http'

export type Exchange = {
  status: number
  /** From the call to the end of the answer. */
  ms: number
  /** From the call to the first byte of the body. */
  firstByteMs: number
  /** Length of the body as it came over the wire. */
  bytes: number
  /** Empty unless it was to be kept or tells of a failure. */
  body: Buffer
  headers: IncomingMessage['headers']
}

type Sending = {
  method?: string
  url: string
  headers?: Record<string, string>
  body?: readonly Uint8Array[]
  isBodyRead?: boolean
}

/** Connections that stay open between requests. */
export function openConnections(count: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: count })
}

/** Sends one request and reads the answer to its end; the body is thrown away unless `isBodyRead`. */
export function exchange(agent: Agent, sending: Sending): Promise<Exchange> {
  const { method = 'GET', url, headers = {}, body = [], isBodyRead = false } = sending
  const length = body.reduce((sum, part) => sum + part.length, 0)
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, agent, headers: { ...headers, ...(method === 'POST' ? { 'content-length': String(length) } : {}) } },
      (answer) => {
        const kept: Buffer[] = []
        let bytes = 0
        let firstByteMs = Number.NaN
        answer.on('data', (chunk: Buffer) => {
          if (bytes === 0) firstByteMs = performance.now() - start
          bytes += chunk.length
          if (isBodyRead || (answer.statusCode ?? 0) >= 400) kept.push(chunk)
        })
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            ms: performance.now() - start,
            firstByteMs,
            bytes,
            body: Buffer.concat(kept),
            headers: answer.headers,
          }),
        )
      },
    )
    outgoing.on('error', (error) => {
      // a connection kept open for long may be closed by the server just as it is used again
      const isStale = outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
      if (isStale) resolve(exchange(agent, sending))
      else reject(error)
    })
    for (const part of body) outgoing.write(part)
    outgoing.end()
  })
}

/** Like `exchange`. @throws Error when the answer is not a success */
export async function succeed(agent: Agent, sending: Sending): Promise<Exchange> {
  const answer = await exchange(agent, sending)
  if (answer.status >= 200 && answer.status < 300) return answer
  throw new Error(`${new URL(sending.url).pathname} answered ${answer.status}: ${answer.body.toString().slice(0, 500)}`)
}

/** Runs a task for each index, so many at a time. */
export async function inParallel(
  count: number,
  lanes: number,
  task: (index: number, lane: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const lane = async (_: unknown, number: number) => {
    while (next < count) await task(next++, number)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
