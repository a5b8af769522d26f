import type { Socket } from 'node:net'
import { FrameError, frameMessage, FrameReader } from './mllp-frames.ts'

export interface Hl7Limits {
  /** Connections that may be open at once, and those of one address; one more is ended. */
  maxConnections: number
  maxConnectionsPerAddress: number
  /** Of one message, and of all that are on their way together. */
  maxMessageBytes: number
  maxHeldBytes: number
  /** A connection on which nothing comes is ended after this time. */
  idleMs: number
  /** Time without a byte inside a message, and for the whole of it. */
  stallMs: number
  messageMs: number
  /** Time in which the sender must take an answer. */
  answerMs: number
}

/** Bytes of messages on their way, of all connections together. */
export interface BytesOnTheirWay {
  count: number
}

interface ServedConnection {
  socket: Socket
  limits: Hl7Limits
  held: BytesOnTheirWay
  /** Ends the connection, after the answer to a message that is being worked on. */
  ending: AbortSignal
  /** Must not throw. @returns the answer, or undefined for none */
  answer: (message: Buffer) => Promise<Buffer | undefined>
}

/**
 * Reads messages from a connection and answers each in its turn, until the sender leaves or is cut off. Nothing is read
 * while a message is being worked on.
 * @returns why the sender was cut off; undefined when it left by itself
 */
export async function serveHl7Connection({
  socket,
  limits,
  held,
  ending,
  answer,
}: ServedConnection): Promise<string | undefined> {
  const reader = new FrameReader(limits.maxMessageBytes)
  const watch = new Watch(socket)
  let isWorking = false
  ending.addEventListener('abort', () => isWorking || socket.destroy())
  let own = 0
  const hold = (bytes: number) => {
    held.count += bytes - own
    own = bytes
  }
  let began = 0
  try {
    watch.start(limits.idleMs, 'Nothing came for a long time')
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      watch.stop()
      const messages = reader.push(chunk)
      if (!reader.isInside || messages.length > 0) began = 0
      hold(reader.heldBytes + messages.reduce((sum, one) => sum + one.length, 0))
      if (held.count > limits.maxHeldBytes) return 'Too many bytes are on their way'
      for (const message of messages) {
        isWorking = true
        const reply = await answer(message)
        const isSent = !reply || (await send(socket, frameMessage(reply), limits.answerMs))
        isWorking = false
        if (!isSent) return 'The answer was not taken'
        if (ending.aborted) return undefined
      }
      hold(reader.heldBytes)
      if (!reader.isInside) watch.start(limits.idleMs, 'Nothing came for a long time')
      else {
        began ||= performance.now()
        const left = limits.messageMs - (performance.now() - began)
        if (left <= 0) return 'The message took too long'
        watch.start(Math.min(limits.stallMs, left), 'The message did not go on')
      }
    }
  } catch (error) {
    if (error instanceof FrameError) return error.message
    // a sender that goes without a word, or was sent away, shows as an error of the socket
  } finally {
    watch.stop()
    hold(0)
    socket.destroy()
  }
  if (ending.aborted) return undefined
  return watch.reason ?? (reader.isInside ? 'The connection ended inside a message' : undefined)
}

/** Ends a connection when its time is over. */
class Watch {
  readonly #socket: Socket
  #timer: NodeJS.Timeout | undefined
  reason: string | undefined

  constructor(socket: Socket) {
    this.#socket = socket
  }

  start(ms: number, reason: string): void {
    this.#timer = setTimeout(() => {
      this.reason = reason
      this.#socket.destroy()
    }, ms)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

/** @returns whether the bytes left, in time */
function send(socket: Socket, bytes: Buffer, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    const done = (isSent: boolean) => {
      clearTimeout(timer)
      resolve(isSent)
    }
    socket.once('close', () => done(false))
    socket.write(bytes, (error) => done(!error))
  })
}
