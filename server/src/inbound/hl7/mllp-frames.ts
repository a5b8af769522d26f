/** Bytes around a message. Source: HL7 Transport Specification, MLLP Release 1. */
const start = 0x0b
const end = 0x1c
const carriageReturn = 0x0d
/** Bytes between two messages that some senders write: line ends and blanks. */
const tolerated = new Set([0x0a, 0x0d, 0x20])

/** A stream that cannot be read any further: what follows has no known beginning. */
export class FrameError extends Error {
  override readonly name = 'FrameError'
}

/** A message as bytes between the marks of MLLP. */
export function frameMessage(message: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(start), message, Buffer.of(end, carriageReturn)])
}

/** Takes messages out of a stream of bytes; holds one unfinished message at most. */
export class FrameReader {
  readonly #maxBytes: number
  #state: 'between' | 'inside' | 'ended' = 'between'
  #chunks: Buffer[] = []
  #heldBytes = 0

  /** @param maxBytes most bytes of one message */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Bytes of the message that is not finished. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Whether a message has begun and not ended. */
  get isInside(): boolean {
    return this.#state !== 'between'
  }

  /**
   * Takes the next bytes of the stream.
   * @returns the messages that are whole now
   * @throws FrameError for bytes outside of messages, a message within a message, and one that is too large
   */
  push(bytes: Buffer): Buffer[] {
    const messages: Buffer[] = []
    let at = 0
    while (at < bytes.length) {
      if (this.#state === 'inside') at = this.#readInside(bytes, at)
      else if (this.#state === 'ended') {
        if (bytes[at] !== carriageReturn) throw new FrameError('No carriage return follows the end of the message')
        at += 1
        messages.push(this.#take())
      } else {
        const byte = bytes[at] ?? 0
        if (byte === start) this.#state = 'inside'
        else if (!tolerated.has(byte)) throw new FrameError('Bytes came outside of a message')
        at += 1
      }
    }
    return messages
  }

  #readInside(bytes: Buffer, from: number): number {
    const stop = bytes.indexOf(end, from)
    const part = bytes.subarray(from, stop === -1 ? bytes.length : stop)
    if (part.includes(start)) throw new FrameError('A message began inside another')
    this.#heldBytes += part.length
    if (this.#heldBytes > this.#maxBytes) throw new FrameError('The message is too large')
    // a small copy: a slice would keep the whole read buffer
    if (part.length > 0) this.#chunks.push(Buffer.from(part))
    if (stop === -1) return bytes.length
    this.#state = 'ended'
    return stop + 1
  }

  #take(): Buffer {
    const message = Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#heldBytes = 0
    this.#state = 'between'
    return message
  }
}
