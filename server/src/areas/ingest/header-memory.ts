import { setTimeout } from 'node:timers/promises'
import { StorageError } from '@hilum/contract/storage-errors'

/** Headers up to this size are gathered without asking: those of nearly all images. */
export const SMALL_HEADER_BYTES = 1024 * 1024

interface Limits {
  /** Larger headers that are gathered at the same time, each up to the largest that is taken. */
  places: number
  /** After this an upload that waits for a place is told to come again. */
  waitMs: number
  /** After this an upload that holds a place while others wait is given up. */
  holdMs: number
}
const usual: Limits = { places: 4, waitMs: 30_000, holdMs: 60_000 }
const RETRY_SECONDS = 30

/** A right to gather one large header. */
export interface HeaderPlace {
  /** @throws StorageError BAD_REQUEST when it is held for too long while others wait */
  demandInTime: () => void
  release: () => void
}

/**
 * Bounds what all headers that are being gathered hold together, however many uploads come at the same time. An upload
 * that waits for its place reads no more of its body.
 */
export class HeaderMemory {
  readonly #limits: Limits
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...usual, ...limits }
    this.#free = this.#limits.places
  }

  /** @throws StorageError STORE_OPERATION_FAILED, with a time to come again, when others hold all places for too long */
  async take(): Promise<HeaderPlace> {
    if (this.#free > 0) this.#free -= 1
    else await this.#wait()
    const since = performance.now()
    let isHeld = true
    return {
      demandInTime: () => {
        if (this.#waiting.size === 0 || performance.now() - since < this.#limits.holdMs) return
        throw new StorageError('BAD_REQUEST', 'The header of the file came too slowly and was given up')
      },
      release: () => {
        if (isHeld) this.#giveBack()
        isHeld = false
      },
    }
  }

  async #wait(): Promise<void> {
    const place = Promise.withResolvers<true>()
    const begin = () => place.resolve(true)
    this.#waiting.add(begin)
    const ending = new AbortController()
    const tooLong = setTimeout(this.#limits.waitMs, false, { signal: ending.signal, ref: false }).catch(() => false)
    const hasPlace = await Promise.race([place.promise, tooLong])
    ending.abort()
    if (hasPlace) return
    // a place that was given in the same moment goes to the next
    if (!this.#waiting.delete(begin)) this.#giveBack()
    throw new StorageError(
      'STORE_OPERATION_FAILED',
      'Too many files with very large headers are coming at the same time; send this one again later',
      {},
      { httpStatus: 503, retrySeconds: RETRY_SECONDS },
    )
  }

  #giveBack(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#free += 1
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
