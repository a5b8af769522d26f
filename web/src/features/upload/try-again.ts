import pRetry from 'p-retry'
import { AWAY } from '../../api/is-server-ready.ts'
import { type UploadGate, HeldUp } from './gate.ts'
import { SendFault, toFault } from './send-fault.ts'

/** Tries for each request of an upload (design §6). */
const TRIES = 5
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 15_000
/** Between tries at a server that has no room: somebody has to make some, and each try costs the bytes of a file. */
const FIRST_ROOM_MS = 10_000
const LONGEST_ROOM_MS = 60_000

export interface RetryTerms {
  gate: UploadGate
  signal: AbortSignal
  /** Asked after a fault that a lost line may have caused; once `false` was said, the gate is opened when the server is back. */
  isReachable: () => Promise<boolean>
  /** Before the second try; doubled for each further one, times a random 1 to 2. */
  firstDelayMs?: number
  /** Before the first try at a server that has no room. */
  firstRoomMs?: number
}

/**
 * Does something up to five times, with exponential back-off and jitter, passing the gate before each try. A lost
 * connection, an ended session and a full server close the gate instead of using tries up.
 * @param act calls `onGone` once a large body has gone whole: the try only waits for its answer then, and is not renewed
 * @throws SendFault of the last try, or the signal's reason
 */
export function tryAgain<Result>(
  act: (signal: AbortSignal, onGone: () => void) => Promise<Result>,
  { gate, signal, isReachable, firstDelayMs, firstRoomMs = FIRST_ROOM_MS }: RetryTerms,
): Promise<Result> {
  async function attempt() {
    await gate.pass(signal)
    try {
      return await tryOnce(gate.signal)
    } catch (error) {
      if (!isFull(error)) throw error
      // one finds out whether there is room again, for all
      if (gate.isHeldFor('full')) throw new HeldUp('full')
      return await tryUntilRoom()
    }
  }
  async function tryUntilRoom() {
    gate.hold('full')
    try {
      for (let pauseMs = firstRoomMs; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_ROOM_MS)) {
        await pause(pauseMs, signal)
        await gate.pass(signal, 'full')
        try {
          return await tryOnce(gate.scoutSignal)
        } catch (error) {
          signal.throwIfAborted()
          if (!isFull(error) && !(error instanceof HeldUp)) throw error
        }
      }
    } finally {
      gate.release('full')
    }
  }
  async function tryOnce(held: AbortSignal) {
    const { renewal } = gate
    const sending = new AbortController()
    const renew = () => sending.abort(renewal.reason)
    renewal.addEventListener('abort', renew, { once: true })
    const letBe = () => renewal.removeEventListener('abort', renew)
    try {
      return await act(AbortSignal.any([signal, held, sending.signal]), letBe)
    } catch (error) {
      signal.throwIfAborted()
      if (held.aborted) throw held.reason
      sending.signal.throwIfAborted()
      const fault = toFault(error)
      if (fault.kind === 'signed-out') throw holdUp(gate, 'signed-out')
      if (!isOfLine(fault) || (await isReachable())) throw fault
      signal.throwIfAborted()
      throw holdUp(gate, 'offline')
    } finally {
      letBe()
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

const isFull = (error: unknown) => error instanceof SendFault && error.kind === 'full'

/** @throws the signal's reason when that aborts first */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const end = () => reject(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

/** Whether a fault is one that a server that is gone makes: no answer, or a gateway that has nobody to ask. */
function isOfLine({ kind, status }: SendFault): boolean {
  return kind === 'unreachable' || AWAY.includes(status)
}

function holdUp(gate: UploadGate, reason: 'signed-out' | 'offline') {
  gate.hold(reason)
  return new HeldUp(reason)
}
