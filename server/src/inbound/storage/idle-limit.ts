import type { Readable } from 'node:stream'
import { StorageError } from '@hilum/contract/storage-errors'

type IdleLimits = {
  /** No byte for this long ends the body. */
  idleMs: number
  /** After the first idle time the body must have come at this rate on average. */
  minBytesPerSecond: number
}

export const uploadLimits: IdleLimits = { idleMs: 30_000, minBytesPerSecond: 1024 }

/**
 * A body that must keep coming: senders that trickle or stop are ended, and free what they held.
 * @throws StorageError BAD_REQUEST
 */
export async function* withIdleLimit(body: Readable, limits: IdleLimits): AsyncGenerator<Uint8Array> {
  const started = performance.now()
  const chunks = body.iterator({ destroyOnReturn: false })
  let giveUp: (error: StorageError) => void = () => undefined
  // one timer for all chunks; while none is waited for it has nothing to give up
  const timer = setTimeout(() => giveUp(tooSlow()), limits.idleMs)
  const nextInTime = () =>
    new Promise<IteratorResult<unknown>>((resolve, reject) => {
      giveUp = reject
      timer.refresh()
      chunks.next().then(resolve, reject)
    })
  let bytes = 0
  try {
    for (;;) {
      const next = await nextInTime()
      if (next.done) return
      const chunk = next.value as Uint8Array
      bytes += chunk.length
      const seconds = (performance.now() - started - limits.idleMs) / 1000
      if (seconds > 0 && bytes < seconds * limits.minBytesPerSecond) throw tooSlow()
      yield chunk
    }
  } finally {
    clearTimeout(timer)
    // Lets go of the stream, so that the rest of a refused body can flow off. Not awaited: a read may be pending for ever.
    void chunks.return?.()
  }
}

function tooSlow(): StorageError {
  return new StorageError('BAD_REQUEST', 'The file came too slowly and was given up')
}
