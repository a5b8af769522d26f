import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ByteOutput } from './byte-output.ts'

/** A connection that notes what each write to the system held. */
function noteWrites(): { socket: Socket; writes: string[] } {
  const writes: string[] = []
  const socket = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      writes.push(chunk.toString('latin1'))
      done()
    },
    writev: (chunks, done) => {
      writes.push(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)).toString('latin1'))
      done()
    },
  })
  // a stream in place of a connection: ByteOutput asks for nothing else
  return { socket: socket as unknown as Socket, writes }
}

it('lets answers that are ready together leave in one piece, in their order', async () => {
  const { socket, writes } = noteWrites()
  const output = new ByteOutput(socket, 1_000)
  await output.write(Buffer.from('head'), Buffer.from('er '))
  await output.write(Buffer.from('answer 1 '))
  await output.write(Buffer.from('answer 2'))
  await nextTurn()
  await output.write(Buffer.from('later'))
  await nextTurn()
  expect(writes).toEqual(['header answer 1 answer 2', 'later'])
})

it('lets go of what was written before the connection is ended', async () => {
  const { socket, writes } = noteWrites()
  await new ByteOutput(socket, 1_000).write(Buffer.from('last '), Buffer.from('words'))
  socket.end()
  await nextTurn()
  expect(writes).toEqual(['last words'])
})

it('waits for a peer that reads slowly, more than fits at once', async () => {
  const { socket, writes } = noteWrites()
  const output = new ByteOutput(socket, 1_000)
  const piece = Buffer.alloc(40_000, 'x')
  for (let count = 0; count < 10; count++) await output.write(piece)
  await nextTurn()
  expect(writes.join('').length).toBe(400_000)
  expect(writes.length).toBeGreaterThan(1)
})
