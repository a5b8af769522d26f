import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it } from 'vitest'
import { endWhenLate } from './read-body.ts'

async function sendPart(limitMs: number, rest: string): Promise<string> {
  const server = createServer((request: IncomingMessage, response) => {
    endWhenLate(request, limitMs)
    request.resume().once('end', () => response.end('whole'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 10\r\n\r\n12345${rest}`)
  let answer = ''
  socket.on('error', () => undefined)
  socket.on('data', (data) => (answer += String(data)))
  await new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => server.close(resolve))
  return answer
}

it('ends the connection of who stops in the middle of a body, and no other', async () => {
  expect(await sendPart(50, '')).toBe('')
  expect(await sendPart(600_000, '67890')).toContain('whole')
})
