import pRetry from 'p-retry'
import { isServerReady } from '../../api/is-server-ready.ts'
import type { UploadGate } from './gate.ts'

const FIRST_LOOK_MS = 1_000
const LONGEST_PAUSE_MS = 10_000

/**
 * Answers an upload whether the server can be reached. Where it cannot, looks again and again, however long that takes,
 * and opens the gate that was closed for `offline` once the server answers.
 * @param signal ends the looking
 */
export function watchForServer(
  gate: UploadGate,
  signal: AbortSignal,
  { isReady = () => isServerReady(), firstLookMs = FIRST_LOOK_MS } = {},
): () => Promise<boolean> {
  let isLooking = false
  async function look() {
    isLooking = true
    try {
      // the first look comes after a pause, when the gate has been closed
      await pRetry((attempt) => demandServer(attempt), {
        retries: Number.POSITIVE_INFINITY,
        minTimeout: firstLookMs,
        maxTimeout: LONGEST_PAUSE_MS,
        factor: 1.5,
        randomize: true,
        signal,
      })
      gate.release('offline')
    } catch {
      // the upload is over
    } finally {
      isLooking = false
    }
  }
  async function demandServer(attempt: number) {
    if (attempt === 1 || !(await isReady())) throw new Error('The server does not answer')
  }
  return async () => {
    if (await isReady()) return true
    if (!isLooking) void look()
    return false
  }
}
