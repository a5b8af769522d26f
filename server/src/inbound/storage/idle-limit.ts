import { finished, type Readable } from 'node:stream'
import { StorageError } from '@hilum/contract/storage-errors'

type IdleLimits = {
  /** No byte for this long ends the body. */
  idleMs: number
  /** After the first idle time the body must have come at this rate on average. */
  minBytesPerSecond: number
}

export const uploadLimits: IdleLimits = { idleMs: 30_000, minBytesPerSecond: 1024 }

/** Bytes of a body that are taken ahead of its reader, before its sender is made to wait. */
const MAX_AHEAD_BYTES = 256 * 1024

/**
 * A body that must keep coming: senders that trickle or stop are ended, and free what they held.
 * @throws StorageError BAD_REQUEST
 */
export async function* withIdleLimit(body: Readable, limits: IdleLimits): AsyncGenerator<Uint8Array> {
  const started = performance.now()
  const ahead = new BytesAhead(body)
  let giveUp: (error: StorageError) => void = () => undefined
  // one timer for all chunks; while none is waited for it has nothing to give up
  const timer = setTimeout(() => giveUp(tooSlow()), limits.idleMs)
  const moreInTime = () =>
    new Promise<void>((resolve, reject) => {
      giveUp = reject
      timer.refresh()
      ahead.onNews(resolve)
    })
  let bytes = 0
  try {
    for (;;) {
      if (!ahead.hasNews) await moreInTime()
      const chunk = ahead.take()
      if (!chunk) return
      bytes += chunk.length
      const seconds = (performance.now() - started - limits.idleMs) / 1000
      if (seconds > 0 && bytes < seconds * limits.minBytesPerSecond) throw tooSlow()
      yield chunk
    }
  } finally {
    clearTimeout(timer)
    ahead.letGo()
  }
}

/**
 * The chunks of a body as they come, a few of them ahead of the reader. The iterator of a stream stops and starts the
 * connection for each chunk of 64 KB, which cost a fifth of a millisecond for each image.
 */
class BytesAhead {
  readonly #body: Readable
  readonly #chunks: Uint8Array[] = []
  readonly #forget: () => void
  #bytes = 0
  #end: { error: unknown } | undefined
  #wake: () => void = () => undefined

  constructor(body: Readable) {
    this.#body = body
    body.on('data', this.#add)
    this.#forget = finished(body, { writable: false }, (error) => {
      this.#end = { error }
      this.#wake()
    })
  }

  /** Whether bytes are there, or the end is, so that `take` has an answer. */
  get hasNews(): boolean {
    return this.#chunks.length > 0 || this.#end !== undefined
  }

  onNews(wake: () => void): void {
    this.#wake = wake
  }

  /** The next chunk; undefined at the end. @throws the error of the stream */
  take(): Uint8Array | undefined {
    const chunk = this.#chunks.shift()
    if (!chunk) {
      if (this.#end?.error) throw this.#end.error
      return undefined
    }
    this.#bytes -= chunk.length
    if (this.#bytes < MAX_AHEAD_BYTES && this.#body.isPaused()) this.#body.resume()
    return chunk
  }

  /** Reads no more: the rest of a refused body flows off, to whoever reads it over. */
  letGo(): void {
    this.#body.off('data', this.#add)
    this.#forget()
    this.#body.resume()
  }

  readonly #add = (chunk: Uint8Array): void => {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes >= MAX_AHEAD_BYTES) this.#body.pause()
    this.#wake()
  }
}

function tooSlow(): StorageError {
  return new StorageError('BAD_REQUEST', 'The file came too slowly and was given up')
}
