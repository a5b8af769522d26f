import type { Socket } from 'node:net'
import { MIN_BYTES_PER_SECOND } from './association-limits.ts'
import { DimseError } from './dimse-error.ts'

/** Bytes taken from the socket ahead of the reader, before the peer is made to wait. */
const MAX_AHEAD_BYTES = 512 * 1024

/**
 * Senders that leave Nagle's algorithm on keep their last small segment back until the one before it is acknowledged,
 * and the kernel of a reader that keeps up acknowledges a lone small segment only after 40 ms. A reader that rests a
 * moment between reads meets several segments at once, which are acknowledged at once: 10 ms instead of 50 an image.
 */
const STALL_MS = 25
const REST_MS = 1

/** How much has come, and how long we have waited for it. */
export type Progress = { bytes: number; waitedMs: number }

/** The bytes of a connection, asked for piece by piece; whoever does not ask makes the peer wait. */
export class ByteInput {
  /** How long a wait for bytes may last. */
  timeoutMs: number
  /** Whether a message has begun and not ended. */
  isInside = false
  #waitedMs = 0
  #takenBytes = 0
  readonly #socket: Socket
  #chunks: Buffer[] = []
  #bytes = 0
  #end: DimseError | undefined
  /** The peer was seen to wait for an acknowledgement in the middle of something. */
  #isStalling = false
  #isResting = false
  #wake: (() => void) | undefined

  constructor(socket: Socket, timeoutMs: number) {
    this.#socket = socket
    this.timeoutMs = timeoutMs
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk)
      this.#bytes += chunk.length
      if (this.#bytes >= MAX_AHEAD_BYTES) socket.pause()
      this.#wake?.()
      if (this.#isStalling) this.#rest()
    })
    const finish = (cause?: unknown) => {
      this.#end ??= new DimseError('lost', 'The connection was lost', { cause })
      this.#wake?.()
    }
    socket.on('error', finish)
    socket.on('end', () => finish())
    socket.on('close', () => finish())
  }

  /** Exactly so many bytes; for small numbers, since they are joined. */
  async exactly(count: number): Promise<Buffer> {
    while (this.#bytes < count) await this.#more()
    const first = this.#chunks[0] ?? Buffer.alloc(0)
    if (first.length >= count) return this.#takeFirst(count)
    const joined = Buffer.allocUnsafe(count)
    for (let filled = 0; filled < count; ) {
      const part = this.#takeFirst(count - filled)
      joined.set(part, filled)
      filled += part.length
    }
    return joined
  }

  /** At least one byte and at most `most`, as they come. */
  async some(most: number): Promise<Buffer> {
    while (this.#bytes === 0) await this.#more()
    return this.#takeFirst(most)
  }

  /** How many bytes can be read without waiting. */
  get bytesThere(): number {
    return this.#bytes
  }

  /** Whether bytes are there, or the end is, so that reading brings news. */
  get hasNews(): boolean {
    return this.#bytes > 0 || this.#end !== undefined
  }

  progress(): Progress {
    return { bytes: this.#takenBytes, waitedMs: this.#waitedMs }
  }

  /**
   * Only the time that we waited for bytes counts, not the time that we took ourselves.
   * @throws DimseError timeout, when the peer has trickled since `start`, after a time of grace
   */
  checkPace(start: Progress, graceMs: number): void {
    const seconds = (this.#waitedMs - start.waitedMs - graceMs) / 1000
    if (seconds > 0 && this.#takenBytes - start.bytes < seconds * MIN_BYTES_PER_SECOND) {
      throw new DimseError('timeout', 'The data set came too slowly and was given up')
    }
  }

  #takeFirst(most: number): Buffer {
    const first = this.#chunks[0] ?? Buffer.alloc(0)
    const taken = first.length <= most ? first : first.subarray(0, most)
    if (taken === first) this.#chunks.shift()
    else this.#chunks[0] = first.subarray(most)
    this.#bytes -= taken.length
    this.#takenBytes += taken.length
    if (!this.#isResting && this.#bytes < MAX_AHEAD_BYTES && this.#socket.isPaused()) this.#socket.resume()
    return taken
  }

  /** After all that is there by now was read. */
  #rest(): void {
    if (this.#isResting) return
    this.#isResting = true
    setImmediate(() => {
      this.#socket.pause()
      setTimeout(() => {
        this.#isResting = false
        if (this.#bytes < MAX_AHEAD_BYTES) this.#socket.resume()
      }, REST_MS)
    })
  }

  async #more(): Promise<void> {
    if (this.#end) throw this.#end
    let timer: NodeJS.Timeout | undefined
    const before = this.#bytes
    const start = performance.now()
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      timer = setTimeout(resolve, this.timeoutMs)
    })
    clearTimeout(timer)
    this.#wake = undefined
    const waitedMs = performance.now() - start
    this.#waitedMs += waitedMs
    if (this.isInside && waitedMs >= STALL_MS) this.#isStalling = true
    if (this.#bytes === before && !this.#end) throw new DimseError('timeout', 'The peer was silent for too long')
  }
}
