import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'

/** The listener could not be opened; the message says why, and what is free. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/**
 * Opens the http listener.
 * @returns the address to open in a browser
 * @throws ListenError when the port is taken, naming the next free one
 */
export async function listen(app: FastifyInstance, config: Config): Promise<string> {
  const { host, port } = config.http
  try {
    await app.listen({ host, port })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause
    const free = await findFreePort(host, port)
    throw new ListenError(
      `Port ${port} of ${host} is taken by another program. ${free ? `Port ${free} is free: start with HILUM_PORT=${free}.` : 'Set HILUM_PORT to another one.'}`,
      { cause },
    )
  }
  const bound = app.server.address()
  const boundPort = typeof bound === 'object' && bound ? bound.port : port
  const shownHost = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return config.publicUrl ?? `http://${shownHost}:${boundPort}`
}

async function findFreePort(host: string, after: number): Promise<number | undefined> {
  for (let port = after + 1; port <= Math.min(after + 50, 65_535); port++) {
    if (await isFree(host, port)) return port
  }
  return undefined
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}
