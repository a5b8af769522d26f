import type { Server } from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { findCertificate } from '../../certificate.ts'
import { refuseExpectations, refuseUnreadable } from './refuse-unreadable.ts'

/** A listener could not be opened; the message says why, and what is free. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

export interface Listeners {
  /** The address to open in a browser. */
  address: string
  httpsAddress: string
  /** The https listener. */
  secure: HttpsServer
  close: () => Promise<void>
}

/**
 * Opens the http and the https listener; both lead to the same routes.
 * @throws ListenError when a port is taken, naming the next free one
 */
export async function listen(app: FastifyInstance, config: Config): Promise<Listeners> {
  const { http, https } = config
  await orSayFree(http, 'HILUM_PORT', () => app.listen({ host: http.host, port: http.port }))
  const secure = createHttpsServer({ ...(await findCertificate(config)), requireHostHeader: false }, app.routing)
  refuseExpectations(secure)
  takeLimits(secure, app.server)
  secure.on('clientError', refuseUnreadable)
  secure.on('upgrade', (request, socket, head) => app.server.emit('upgrade', request, socket, head))
  try {
    await orSayFree(https, 'HILUM_HTTPS_PORT', () => opened(secure, https))
  } catch (error) {
    await app.close()
    throw error
  }
  // a connection that cannot be taken, for want of files perhaps, is no reason to end
  for (const server of [app.server, secure]) {
    server.on('error', (error) => app.log.error({ event: 'listener failed', err: error }))
  }
  return {
    address: config.publicUrl ?? addressOf('http', http, app.server.address()),
    httpsAddress: addressOf('https', https, secure.address()),
    secure,
    close: async () => {
      secure.closeAllConnections()
      await new Promise((resolve) => secure.close(resolve))
    },
  }
}

/** Both listeners wait alike: left to itself, this one would cut every upload off after five minutes. */
function takeLimits(secure: HttpsServer, { requestTimeout, headersTimeout, keepAliveTimeout, timeout }: Server): void {
  Object.assign(secure, { requestTimeout, headersTimeout, keepAliveTimeout })
  secure.setTimeout(timeout)
}

/** Where a listener is opened. */
interface ListenAddress {
  host: string
  port: number
}

/**
 * Opens a listener.
 * @param setting the name of the setting that holds its port
 * @throws ListenError when the port is taken, naming the next free one
 */
export async function orSayFree(place: ListenAddress, setting: string, open: () => Promise<unknown>): Promise<void> {
  try {
    await open()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause
    const free = await findFreePort(place)
    const advice = free ? `Port ${free} is free: start with ${setting}=${free}.` : `Set ${setting} to another one.`
    throw new ListenError(`Port ${place.port} of ${place.host} is taken by another program. ${advice}`, { cause })
  }
}

function opened(server: HttpsServer, { host, port }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function addressOf(scheme: string, { host, port }: ListenAddress, bound: ReturnType<HttpsServer['address']>): string {
  const boundPort = typeof bound === 'object' && bound ? bound.port : port
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const shown = isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `${scheme}://${shown}:${boundPort}`
}

async function findFreePort({ host, port: taken }: ListenAddress): Promise<number | undefined> {
  for (let port = taken + 1; port <= Math.min(taken + 50, 65_535); port++) {
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
