import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends one HL7 message by MLLP, and waits for its answer; a message that is not taken throws. */
export async function sendHl7(port: number, segments: readonly string[]): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port })
  await once(socket, 'connect')
  // MLLP: a block begins with VT and ends with FS and CR
  socket.write(`\v${segments.join('\r')}\r\x1c\r`)
  let answer = ''
  while (!answer.includes('\x1c')) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    answer += chunk.toString()
  }
  socket.destroy()
  if (!answer.includes('MSA|AA|')) throw new Error(`The message was not taken: ${answer}`)
}
