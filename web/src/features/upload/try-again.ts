import pRetry from 'p-retry'
import { AWAY } from '../../api/is-server-ready.ts'
import { type UploadGate, HeldUp } from './gate.ts'
import { SendFault, toFault } from './send-fault.ts'

/** Tries for each request of an upload (design §6). */
const TRIES = 5
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 15_000

export interface RetryTerms {
  gate: UploadGate
  signal: AbortSignal
  /** Asked after a fault that a lost line may have caused; once `false` was said, the gate is opened when the server is back. */
  isReachable: () => Promise<boolean>
  /** Before the second try; doubled for each further one, times a random 1 to 2. */
  firstDelayMs?: number
}

/**
 * Does something up to five times, with exponential back-off and jitter, passing the gate before each try. A lost
 * connection and an ended session close the gate instead of using tries up.
 * @param act calls `onGone` once a large body has gone whole: the try only waits for its answer then, and is not renewed
 * @throws SendFault of the last try, or the signal's reason
 */
export function tryAgain<Result>(
  act: (signal: AbortSignal, onGone: () => void) => Promise<Result>,
  { gate, signal, isReachable, firstDelayMs }: RetryTerms,
): Promise<Result> {
  async function attempt() {
    await gate.pass(signal)
    const held = gate.signal
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

/** Whether a fault is one that a server that is gone makes: no answer, or a gateway that has nobody to ask. */
function isOfLine({ kind, status }: SendFault): boolean {
  return kind === 'unreachable' || AWAY.includes(status)
}

function holdUp(gate: UploadGate, reason: 'signed-out' | 'offline') {
  gate.hold(reason)
  return new HeldUp(reason)
}
