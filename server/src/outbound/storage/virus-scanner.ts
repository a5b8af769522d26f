import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A scanner's verdict on a file: nothing found, or the name of what was. */
type ScanVerdict = { kind: 'clean' } | { kind: 'found'; name: string }

/** The scanner did not answer, or could not look at the file; `isTooLarge` when it takes none of this size. */
export class ScannerError extends Error {
  override readonly name = 'ScannerError'
  readonly isTooLarge: boolean
  constructor(message: string, isTooLarge: boolean, options?: ErrorOptions) {
    super(message, options)
    this.isTooLarge = isTooLarge
  }
}

type RunningScan = {
  /** Hands bytes on; waits while the scanner is slower than the sender. */
  write: (chunk: Uint8Array) => Promise<void>
  finish: () => Promise<ScanVerdict>
  /** Ends the connection without a verdict. */
  abandon: () => void
}

const ANSWER_MS = 120_000
const MAX_ANSWER_BYTES = 4096

/**
 * Begins to send a file to clamd (INSTREAM: each chunk behind its length, then a length of zero).
 * @param address `host:port` or the path of a socket
 * @throws ScannerError, here or from the scan
 */
export async function beginScan(address: string): Promise<RunningScan> {
  const socket = address.startsWith('/') ? connect(address) : connect(portOf(address), hostOf(address))
  socket.setNoDelay(true)
  socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('The virus scanner does not answer')))
  const answer = readAnswer(socket)
  // Writing and finishing meet the failure.
  answer.catch(() => undefined)
  await Promise.race([once(socket, 'connect'), answer]).catch(explain)
  socket.write('zINSTREAM\0')
  return {
    write: async (chunk) => {
      if (chunk.length === 0) return
      // The scanner answers early when it refuses the rest; its words come with the end.
      if (!socket.writable) return
      const head = Buffer.alloc(4)
      head.writeUInt32BE(chunk.length)
      socket.write(head)
      // A copy: the sender may use its buffer again before the socket has.
      if (!socket.write(Buffer.from(chunk))) await Promise.race([once(socket, 'drain'), answer]).catch(explain)
    },
    finish: async () => {
      if (socket.writable) socket.write(Buffer.alloc(4))
      const text = await answer.catch(explain)
      socket.destroy()
      return verdictOf(text)
    },
    abandon: () => void socket.destroy(),
  }
}

/** An answer that came whole counts, also when the connection breaks behind it. */
function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const isWhole = () => text.includes('\0') || text.length > MAX_ANSWER_BYTES
    const settle = () => resolve(text.replace(/\0.*$/s, '').trim())
    socket.on('data', (chunk) => {
      text += String(chunk)
      if (isWhole()) settle()
    })
    socket.on('error', (error) => (isWhole() ? settle() : reject(error)))
    socket.on('close', settle)
  })
}

function verdictOf(answer: string): ScanVerdict {
  if (answer.endsWith(': OK')) return { kind: 'clean' }
  const found = /: (.+) FOUND$/.exec(answer)
  if (found) return { kind: 'found', name: found[1] ?? '' }
  throw new ScannerError(
    answer === '' ? 'The virus scanner ended without an answer' : 'The virus scanner could not look at the file',
    /size limit exceeded/i.test(answer),
  )
}

function explain(error: unknown): never {
  throw new ScannerError('The virus scanner does not answer', false, { cause: error })
}

function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'))
}

function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(':') + 1))
}
