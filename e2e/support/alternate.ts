import { createServer, type IncomingMessage, request as send, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'

/**
 * One address before several servers: each request goes to the next of them, whatever came before on its connection, and
 * each channel stays with the one that opened it.
 * @param addresses `http://127.0.0.1:port`
 */
export async function startAlternating(
  addresses: readonly string[],
): Promise<{ address: string; countAsked: () => readonly number[]; close: () => Promise<void> }> {
  const asked = addresses.map(() => 0)
  let turn = 0
  const open = new Set<Socket>()
  const next = () => {
    const at = turn++ % addresses.length
    asked[at] = (asked[at] ?? 0) + 1
    return new URL(addresses[at] ?? '')
  }
  const server = createServer((request, answer) => {
    const { hostname, port } = next()
    const passed = send(
      { hostname, port, method: request.method, path: request.url, headers: request.headers },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.statusMessage, reply.rawHeaders)
        reply.pipe(answer)
        reply.on('error', () => answer.destroy())
        // an answer that breaks off breaks off here, too
        reply.on('aborted', () => answer.destroy())
      },
    )
    // a server that refuses a body early closes behind its answer
    passed.on('error', () => answer.headersSent || answer.destroy())
    passed.on('information', ({ statusCode }) => statusCode === 100 && answer.writeContinue())
    answer.on('close', () => passed.destroy())
    request.pipe(passed)
    // a sender that writes on behind a refusal sees the answer, as from the server itself; behind the end of the pipe
    passed.on('close', () => request.resume())
  })
  // the server behind decides whether a body may come
  server.on('checkContinue', (request, answer) => server.emit('request', request, answer))
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const { hostname, port } = next()
    const passed = connect(Number(port), hostname, () => {
      const lines = Array.from({ length: request.rawHeaders.length / 2 }, (_, at) =>
        request.rawHeaders.slice(at * 2, at * 2 + 2).join(': '),
      )
      passed.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      passed.write(head)
      socket.pipe(passed).pipe(socket)
    })
    for (const [one, other] of [
      [socket, passed],
      [passed, socket],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  server.keepAliveTimeout = 60_000
  const port = await listen(server)
  return {
    address: `http://127.0.0.1:${port}`,
    countAsked: () => asked,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
        for (const socket of open) socket.destroy()
      }),
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      done(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}
