import { once } from 'node:events'
import { createServer as createPlainServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls'
import { tlsOptions } from '../../certificate.ts'
import type { Services } from '../../services.ts'
import type { CertificateBearer } from '../../renew-certificate.ts'
import { openPort } from '../http/open-port.ts'
import { answerMessage } from './answer-message.ts'
import { type BytesOnTheirWay, type Hl7Limits, serveHl7Connection } from './serve-hl7-connection.ts'

export const defaultHl7Limits: Hl7Limits = {
  maxConnections: 64,
  maxConnectionsPerAddress: 16,
  maxMessageBytes: 16 * 1024 ** 2,
  maxHeldBytes: 64 * 1024 ** 2,
  idleMs: 3_600_000,
  stallMs: 30_000,
  messageMs: 300_000,
  answerMs: 30_000,
}

export interface Hl7Listeners extends CertificateBearer {
  /** Undefined when the settings name none. */
  port: number | undefined
  tlsPort: number | undefined
  /** Takes no more messages; resolves when those that were begun are done and answered. */
  close: () => Promise<void>
}

/**
 * Opens the listeners for messages of HL7 v2 (MLLP) whose ports the settings name, with and without TLS; none without
 * them.
 * @throws ListenError when one cannot be opened, naming its setting
 */
export async function openHl7Listener(services: Services, limits: Hl7Limits = defaultHl7Limits): Promise<Hl7Listeners> {
  const { host, port, tlsPort, tlsAuthoritiesFile } = services.config.hl7
  const connections = new Connections(services, limits)
  const servers: Server[] = []
  const close = async () => {
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
    await connections.end()
    await Promise.all(closed)
  }
  const readTls = () => tlsOptions(services.config, 'HILUM_HL7_TLS_CA', tlsAuthoritiesFile)
  const renewCertificate = async () => {
    for (const server of servers) if (server instanceof TlsServer) server.setSecureContext(await readTls())
  }
  const listen = async (at: { port: number; setting: 'HILUM_HL7_PORT' | 'HILUM_HL7_TLS_PORT' }, server: Server) => {
    await openPort({ host, port: at.port }, { host: 'HILUM_HL7_HOST', port: at.setting }, () => {
      server.listen({ host, port: at.port })
      return once(server, 'listening')
    })
    servers.push(server)
    server.on('error', (error) => services.log.error({ event: 'hl7 listener failed', err: error }))
    const bound = server.address()
    return typeof bound === 'object' && bound ? bound.port : at.port
  }
  try {
    const listeners: Hl7Listeners = { port: undefined, tlsPort: undefined, renewCertificate, close }
    if (port !== undefined) {
      listeners.port = await listen({ port, setting: 'HILUM_HL7_PORT' }, createPlainServer(connections.take))
    }
    if (tlsPort !== undefined) {
      const tls = await readTls()
      const server = createTlsServer({ ...tls, handshakeTimeout: limits.stallMs }, connections.take)
      // before the handshake, where a flood would wait
      server.on('connection', (socket: Socket) => connections.admit(socket))
      server.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy())
      listeners.tlsPort = await listen({ port: tlsPort, setting: 'HILUM_HL7_TLS_PORT' }, server)
    }
    return listeners
  } catch (error) {
    await close()
    throw error
  }
}

interface OpenConnection {
  socket: Socket
  address: string
  /** Undefined until the handshake of TLS is done. */
  ending: AbortController | undefined
}

/** The connections of all listeners, within their limits. */
class Connections {
  readonly #services: Services
  readonly #limits: Hl7Limits
  readonly #held: BytesOnTheirWay = { count: 0 }
  /** Sockets by their address and port: under TLS the plain one beneath is another object. */
  readonly #open = new Map<string, OpenConnection>()
  readonly #running = new Set<Promise<void>>()
  #isEnding = false

  constructor(services: Services, limits: Hl7Limits) {
    this.#services = services
    this.#limits = limits
  }

  /** Counts a connection, or ends it where there are too many. */
  readonly admit = (socket: Socket): OpenConnection | undefined => {
    const key = `${socket.remoteAddress} ${socket.remotePort}`
    const known = this.#open.get(key)
    if (known) return known
    const address = addressOf(socket)
    const ofAddress = [...this.#open.values()].filter((one) => one.address === address).length
    const isFull = this.#open.size >= this.#limits.maxConnections || ofAddress >= this.#limits.maxConnectionsPerAddress
    socket.on('error', () => socket.destroy())
    if (isFull || this.#isEnding) {
      this.#services.log.warn({ event: 'hl7 connection refused', address, reason: 'Too many connections are open' })
      socket.destroy()
      return undefined
    }
    const opened: OpenConnection = { socket, address, ending: undefined }
    this.#open.set(key, opened)
    socket.once('close', () => this.#open.delete(key))
    return opened
  }

  readonly take = (socket: Socket): void => {
    const opened = this.admit(socket)
    if (!opened) return
    socket.on('error', () => socket.destroy())
    socket.setKeepAlive(true, 60_000)
    opened.ending = new AbortController()
    const served = this.#serve(socket, opened.address, opened.ending.signal).finally(() => this.#running.delete(served))
    this.#running.add(served)
  }

  async #serve(socket: Socket, address: string, ending: AbortSignal): Promise<void> {
    const answer = (message: Buffer) => answerMessage(this.#services, message, address)
    const reason = await serveHl7Connection({ socket, limits: this.#limits, held: this.#held, ending, answer })
    if (reason) this.#services.log.warn({ event: 'hl7 connection cut off', address, reason })
  }

  /** Messages that are being worked on are answered first; idle connections are ended at once. */
  async end(): Promise<void> {
    this.#isEnding = true
    for (const { socket, ending } of this.#open.values()) {
      if (ending) ending.abort()
      else socket.destroy()
    }
    await Promise.all(this.#running)
  }
}

function addressOf(socket: Socket): string {
  const address = socket.remoteAddress ?? ''
  return address.startsWith('::ffff:') ? address.slice(7) : address
}
