import type { Server } from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { findCertificate } from '../../certificate.ts'
import type { CertificateBearer } from '../../renew-certificate.ts'
import { type ListenAddress, openPort } from './open-port.ts'
import { refuseExpectations, refuseUnreadable } from './refuse-unreadable.ts'
import { logOf } from './request-log.ts'

export interface Listeners extends CertificateBearer {
  /** The address to open in a browser. */
  address: string
  httpsAddress: string
  /** The https listener. */
  secure: HttpsServer
  close: () => Promise<void>
}

/**
 * Opens the http and the https listener; both lead to the same routes.
 * @throws ListenError when one cannot be opened, naming its setting
 */
export async function listen(app: FastifyInstance, config: Config): Promise<Listeners> {
  const { http, https } = config
  await openPort(http, { host: 'HILUM_HOST', port: 'HILUM_PORT' }, () =>
    app.listen({ host: http.host, port: http.port }),
  )
  const secure = createHttpsServer({ ...(await findCertificate(config)), requireHostHeader: false }, app.routing)
  refuseExpectations(secure)
  takeLimits(secure, app.server)
  secure.on('clientError', refuseUnreadable)
  secure.on('upgrade', (request, socket, head) => app.server.emit('upgrade', request, socket, head))
  try {
    await openPort(https, { host: 'HILUM_HTTPS_HOST', port: 'HILUM_HTTPS_PORT' }, () => opened(secure, https))
  } catch (error) {
    await app.close()
    throw error
  }
  // a connection that cannot be taken, for want of files perhaps, is no reason to end
  for (const server of [app.server, secure]) {
    server.on('error', (error) => logOf(app).error({ event: 'listener failed', err: error }))
  }
  return {
    address: config.publicUrl ?? addressOf('http', http, app.server.address()),
    httpsAddress: addressOf('https', https, secure.address()),
    secure,
    renewCertificate: async () => secure.setSecureContext(await findCertificate(config)),
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
