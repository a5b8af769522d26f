import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { databaseRetrySeconds } from '../../db/database-away.ts'
import { guardHeaders } from './guard-replies.ts'

/** Statuses by the code of the parser's error; any other error is no request at all. */
const statuses: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Answers bytes that are no request, which reach no route, with the headers of every other reply. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  refuseOn(socket, statuses[error.code ?? ''] ?? 400)
}

/** Answers a handshake of a websocket that cannot be read. */
export function refuseHandshake(_error: Error, socket: Duplex, _request: IncomingMessage): void {
  refuseOn(socket, 400)
}

/**
 * Refuses, with the headers of every other reply, what Node and Fastify would answer by themselves: a request of HTTP/1.1
 * without a Host (RFC 9112 §3.2; the listeners are made with `requireHostHeader: false`), an expectation that nobody
 * knows, and requests on open connections while the server closes.
 */
export function refuseUnanswered(app: FastifyInstance): void {
  refuseExpectations(app.server)
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (isClosing) {
      reply.code(503).header('connection', 'close').header('retry-after', String(databaseRetrySeconds))
      return reply.send({ status: 'ERROR', error_type: 'SERVICE_UNAVAILABLE', error_data: 'The server stops' })
    }
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
      return reply.code(400).header('connection', 'close').send(unreadable)
    }
  })
}

/** Answers requests with an expectation that nobody knows: Node's own answer has none of our headers. */
export function refuseExpectations(server: Pick<Server, 'on'>): void {
  server.on('checkExpectation', ({ socket }: IncomingMessage, response: ServerResponse) => {
    response.writeHead(417, { ...headersOn(socket), connection: 'close' }).end(unreadableText)
  })
}

const unreadable = { status: 'ERROR', error_type: 'BAD_REQUEST', error_data: 'The request cannot be read' }
const unreadableText = JSON.stringify(unreadable)

function headersOn(socket: Duplex): Record<string, string> {
  return {
    ...guardHeaders({ protocol: socket instanceof TLSSocket ? 'https' : 'http' }),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(unreadableText)),
  }
}

function refuseOn(socket: Duplex, status: number): void {
  const headers = { ...headersOn(socket), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // not held open by a client that does not end its own side
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${unreadableText}`, () =>
    socket.destroy(),
  )
}
