import PQueue from 'p-queue'
import pRetry from 'p-retry'
import { type Gate, HeldUp } from './gate.ts'
import { SendFault } from './send-fault.ts'

/** Files under way at the same time, and tries for each (design §6). */
export const LANES = 4
export const TRIES = 5
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 15_000

interface LaneOptions<Item, Result> {
  send: (item: Item, signal: AbortSignal, onBytes: (sentBytes: number) => void) => Promise<Result>
  gate: Gate
  /** Ends all of it: the person cancelled. */
  signal: AbortSignal
  onBytes: (item: Item, sentBytes: number) => void
  onSent: (item: Item, result: Result) => void
  isOffline: () => boolean
  /** Before the second try; doubled for each further one, times a random 1 to 2. */
  firstDelayMs?: number
}

export interface LaneResult<Item> {
  failed: { item: Item; fault: SendFault }[]
  /** Never tried, or not to its end, because `stoppedBy` would have met them too. */
  unsent: Item[]
  stoppedBy: SendFault | undefined
}

/**
 * Sends items over four lanes, each with five tries, exponential back-off and jitter. One item's failure does not stop
 * its siblings; a fault that every item would meet stops all.
 * @throws the signal's reason when the person cancels
 */
export async function runLanes<Item, Result>(
  items: readonly Item[],
  options: LaneOptions<Item, Result>,
): Promise<LaneResult<Item>> {
  const queue = new PQueue({ concurrency: LANES })
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  const result: LaneResult<Item> = { failed: [], unsent: [], stoppedBy: undefined }

  async function sendOne(item: Item) {
    if (signal.aborted) {
      result.unsent.push(item)
      return
    }
    try {
      options.onSent(item, await sendWithRetries(item, signal, options))
    } catch (error) {
      options.onBytes(item, 0)
      if (signal.aborted) {
        result.unsent.push(item)
        return
      }
      const fault = toFault(error)
      if (fault.stopsAll) {
        result.unsent.push(item)
        result.stoppedBy = fault
        stop.abort(fault)
      } else {
        result.failed.push({ item, fault })
      }
    }
  }

  await queue.addAll(items.map((item) => () => sendOne(item)))
  options.signal.throwIfAborted()
  return result
}

function sendWithRetries<Item, Result>(
  item: Item,
  signal: AbortSignal,
  { send, gate, isOffline, onBytes, firstDelayMs }: LaneOptions<Item, Result>,
): Promise<Result> {
  async function attempt() {
    await gate.pass(signal)
    const held = gate.signal
    try {
      return await send(item, AbortSignal.any([signal, held]), (sentBytes) => onBytes(item, sentBytes))
    } catch (error) {
      signal.throwIfAborted()
      onBytes(item, 0)
      if (held.aborted) throw held.reason
      const fault = toFault(error)
      if (fault.kind === 'signed-out') throw holdUp(gate, 'signed-out')
      if (fault.kind === 'unreachable' && isOffline()) throw holdUp(gate, 'offline')
      throw fault
    }
  }
  return pRetry(attempt, {
    retries: TRIES - 1,
    minTimeout: firstDelayMs ?? FIRST_DELAY_MS,
    maxTimeout: LONGEST_DELAY_MS,
    factor: 2,
    randomize: true,
    signal,
    shouldConsumeRetry: ({ error }) => !(error instanceof HeldUp),
    shouldRetry: ({ error }) => error instanceof HeldUp || (error instanceof SendFault && error.isTransient),
  })
}

function holdUp(gate: Gate, reason: 'signed-out' | 'offline') {
  gate.hold(reason)
  return new HeldUp(reason)
}

/** A programming error in the sending code is still an answer for the file, with its cause kept. */
function toFault(error: unknown): SendFault {
  return error instanceof SendFault ? error : new SendFault('server', 0, '', { cause: error })
}
