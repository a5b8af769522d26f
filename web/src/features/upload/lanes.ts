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
  { send, onBytes, onSent, ...terms }: LaneOptions<Item, Result>,
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

  async function runLane() {
    for (const item of rest) await sendOne(item)
  }

  await Promise.all(Array.from({ length: LANES }, runLane))
  terms.signal.throwIfAborted()
  return result
}
