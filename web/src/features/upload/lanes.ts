import { RequestSize } from './request-size.ts'
import { type SendFault, toFault } from './send-fault.ts'
import type { SendTerms } from './send-file.ts'
import { type RetryTerms, tryAgain } from './try-again.ts'

/** Files under way at the same time (design §6). */
const LANES = 4

interface LaneOptions<Item, Result> extends RetryTerms {
  send: (item: Item, terms: Omit<SendTerms, 'sid'>) => Promise<Result>
  /** Bytes of an item sent so far; back to 0 when a try failed. */
  onBytes: (item: Item, sentBytes: number) => void
  onSent: (item: Item, result: Result) => void
  /** Sends several at once, where that is possible: what did not arrive so is sent by itself, which tells why. */
  together?: Together<Item, Result> | undefined
}

interface Together<Item, Result> {
  sizeOf: (item: Item) => number
  /** @returns those that arrived */
  send: (
    items: readonly Item[],
    terms: { signal: AbortSignal; onBytes: (item: Item, sentBytes: number) => void },
  ) => Promise<ReadonlyMap<Item, Result>>
}

interface LaneResult<Item> {
  failed: { item: Item; fault: SendFault }[]
  /** Never tried, or not to the end, because `stoppedBy` would have met them too. */
  unsent: Item[]
  stoppedBy: SendFault | undefined
}

/**
 * Sends items over four lanes (UPLOAD-13). One item's failure does not stop its siblings; a fault that every item
 * would meet stops all.
 * @throws the signal's reason when the person cancels
 */
export async function runLanes<Item, Result>(
  items: readonly Item[],
  { send, onBytes, onSent, together, ...terms }: LaneOptions<Item, Result>,
): Promise<LaneResult<Item>> {
  const rest = items.values()
  const stop = new AbortController()
  const signal = AbortSignal.any([terms.signal, stop.signal])
  const result: LaneResult<Item> = { failed: [], unsent: [], stoppedBy: undefined }

  async function tryOnce(item: Item, attemptSignal: AbortSignal, onGone: () => void) {
    try {
      return await send(item, { signal: attemptSignal, onBytes: (sentBytes) => onBytes(item, sentBytes), onGone })
    } catch (error) {
      onBytes(item, 0)
      throw error
    }
  }
  async function sendOne(item: Item) {
    if (signal.aborted) {
      result.unsent.push(item)
      return
    }
    try {
      onSent(item, await tryAgain((...attempt) => tryOnce(item, ...attempt), { ...terms, signal }))
    } catch (error) {
      const fault = toFault(error)
      if (signal.aborted) {
        result.unsent.push(item)
      } else if (fault.stopsAll) {
        result.unsent.push(item)
        result.stoppedBy = fault
        stop.abort(fault)
      } else {
        result.failed.push({ item, fault })
      }
    }
  }

  /** Sends several in one request. @returns those that did not arrive by it */
  async function sendMany(some: readonly Item[], { sizeOf, send: sendAll }: Together<Item, Result>, size: RequestSize) {
    const small = some.filter((item) => sizeOf(item) <= size.largestBytes)
    if (small.length < 2) return some
    const beganMs = performance.now()
    let arrived: ReadonlyMap<Item, Result> = new Map()
    try {
      await terms.gate.pass(signal)
      const held = AbortSignal.any([signal, terms.gate.signal, terms.gate.renewal])
      arrived = await sendAll(small, { signal: held, onBytes })
    } catch {
      // held up, cut off or refused as a whole: each is sent by itself, and meets the same in words of its own
    }
    size.note(performance.now() - beganMs, arrived.size === small.length)
    for (const item of small) {
      const result = arrived.get(item)
      if (result === undefined) onBytes(item, 0)
      else onSent(item, result)
    }
    return some.filter((item) => !arrived.has(item))
  }

  async function runLane() {
    const size = new RequestSize(together ? items.length : 0)
    for (let some = take(size); some.length > 0; some = take(size)) {
      const beganMs = performance.now()
      const left = together && some.length > 1 ? await sendMany(some, together, size) : some
      for (const item of left) await sendOne(item)
      if (some.length === 1) size.note(performance.now() - beganMs, true)
    }
  }

  function take(size: RequestSize): Item[] {
    const some: Item[] = []
    for (let bytes = 0; some.length < size.files && bytes < size.bytes; ) {
      const next = rest.next()
      if (next.done) break
      some.push(next.value)
      bytes += together?.sizeOf(next.value) ?? 0
    }
    return some
  }

  await Promise.all(Array.from({ length: LANES }, runLane))
  terms.signal.throwIfAborted()
  return result
}
