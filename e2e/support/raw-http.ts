import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'

/** The status by which a body of this length is refused, of which nothing is sent. */
export async function announceBody(origin: string, path: string, length: number): Promise<number | undefined> {
  const sending = request(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-length': String(length), 'content-type': 'application/dicom' },
  })
  sending.on('error', () => undefined)
  sending.flushHeaders()
  const [reply] = (await once(sending, 'response')) as [IncomingMessage]
  sending.destroy()
  return reply.statusCode
}

/** A connection on which a body of this length is begun, and nothing of it sent; its end is the caller's. */
export async function beginBody(origin: string, path: string, length: number): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined).resume()
  await once(socket, 'connect')
  const head = [`content-length: ${length}`, 'content-type: application/dicom']
  socket.write(`POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\n${head.join('\r\n')}\r\n\r\n`)
  return socket
}
