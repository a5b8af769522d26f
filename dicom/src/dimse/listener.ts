import { createServer as createPlainServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { Association } from './association.ts'
import { type AssociationLimits, defaultLimits } from './association-limits.ts'

export type ListenerLimits = AssociationLimits & {
  /** Associations that may be open at once, and those of one address. */
  maxAssociations: number
  maxAssociationsPerAddress: number
  /** Connections that have not asked for anything yet; one more ends the oldest. */
  maxHalfOpen: number
}

export const defaultListenerLimits: ListenerLimits = {
  ...defaultLimits,
  maxAssociations: 128,
  maxAssociationsPerAddress: 32,
  maxHalfOpen: 64,
}

export type PeerConnection = {
  association: Association
  /** Of the peer, IPv4 in its plain form. */
  address: string
  /** Call when the peer has asked, and refuse it when this is false: too many are open. */
  admit: () => boolean
}

export type AssociationListener = {
  server: Server
  /** Stops listening and ends what is open; resolves when every handler has returned. */
  close: () => Promise<void>
}

/**
 * Takes connections and hands each to `handle`, which must not throw. Connections that ask for nothing are dropped when
 * there are many, the oldest first, so that they never keep others out.
 */
export function createAssociationListener(
  handle: (connection: PeerConnection) => Promise<void>,
  { limits = defaultListenerLimits, tls }: { limits?: ListenerLimits; tls?: TlsOptions | undefined } = {},
): AssociationListener {
  /** By their address and port, in the order of their coming. */
  const halfOpen = new Map<string, Socket>()
  const open = new Map<string, Socket>()
  const running = new Set<Promise<void>>()

  const server = tls ? createTlsServer({ ...tls, handshakeTimeout: limits.negotiationMs }) : createPlainServer()
  // before the handshake of TLS, too: that is where a flood would wait
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket)
    halfOpen.set(key, socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      halfOpen.delete(key)
      open.delete(key)
    })
    if (halfOpen.size > limits.maxHalfOpen) halfOpen.values().next().value?.destroy()
    if (!tls) begin(socket)
  })
  server.on('secureConnection', begin)
  server.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy())

  function begin(socket: Socket): void {
    const key = keyOf(socket)
    const address = addressOf(socket)
    const admit = () => {
      const raw = halfOpen.get(key)
      if (!raw) return false
      halfOpen.delete(key)
      const ofAddress = [...open.values()].filter((one) => addressOf(one) === address).length
      if (open.size >= limits.maxAssociations || ofAddress >= limits.maxAssociationsPerAddress) return false
      open.set(key, raw)
      return true
    }
    const association = new Association(socket, 'acceptor', limits)
    const handled = handle({ association, address, admit }).finally(() => running.delete(handled))
    running.add(handled)
  }

  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of [...halfOpen.values(), ...open.values()]) socket.destroy()
    await Promise.all(running)
    await closed
  }

  return { server, close }
}

function keyOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`
}

function addressOf(socket: Socket): string {
  const address = socket.remoteAddress ?? ''
  return address.startsWith('::ffff:') ? address.slice(7) : address
}
