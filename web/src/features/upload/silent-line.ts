import { endDeadConnections, isServerReady } from '../../api/is-server-ready.ts'
import type { UploadGate } from './gate.ts'

/** Nothing moves for so long before the server is asked whether it is there; with its patience of 5 s people are told within 10 s. */
const QUIET_MS = 4_000
const LOOK_EVERY_MS = 1_000
/** The time of requests under way to move again once the server answers; twice as long after each renewal, until a suspicion has passed without one. */
const RENEW_AFTER_MS = 10_000
/** Connections that a silence has killed are met so long after it. */
const SUSPECT_MS = 120_000

interface SilenceTerms {
  gate: UploadGate
  /** Ends the watching. */
  signal: AbortSignal
  /** Called when it changes whether the line is silent. */
  onSilent: (isSilent: boolean) => void
  isReady?: () => Promise<boolean>
  endDead?: () => void
}

/**
 * Watches an upload for a line that is silent and not broken, as behind a router that forgot its connections. Requests go
 * on meanwhile: a short silence costs no byte. Once the server answers again, those that still do not move are made anew.
 * @returns to be called whenever bytes have moved or an answer has come
 */
export function watchForSilence({
  gate,
  signal,
  onSilent,
  isReady = () => isServerReady(),
  endDead = endDeadConnections,
}: SilenceTerms): () => void {
  let movedMs = performance.now()
  let askedMs = movedMs
  let isSilent = false
  let isAsking = false
  let renewAfterMs = RENEW_AFTER_MS
  let suspectUntilMs = 0

  function say(silent: boolean) {
    if (silent === isSilent) return
    isSilent = silent
    if (!silent) suspectUntilMs = performance.now() + SUSPECT_MS
    onSilent(silent)
  }
  function move() {
    movedMs = performance.now()
    say(false)
  }
  async function look() {
    if (gate.reason !== undefined) return move() // held up: nothing is meant to move
    const nowMs = performance.now()
    if (nowMs >= suspectUntilMs) renewAfterMs = RENEW_AFTER_MS
    if (!isSilent && nowMs < suspectUntilMs && nowMs - movedMs >= renewAfterMs) return renew()
    if (!isAsking && nowMs - movedMs >= QUIET_MS && (isSilent || nowMs - askedMs >= QUIET_MS)) await ask()
  }
  async function ask() {
    askedMs = performance.now()
    isAsking = true
    const isAnswered = await isReady()
    isAsking = false
    if (signal.aborted || gate.reason !== undefined || movedMs > askedMs) return
    if (!isAnswered) say(true)
    else if (isSilent) {
      move()
      endDead()
    }
  }
  function renew() {
    renewAfterMs *= 2
    gate.renew()
    move()
  }

  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  return move
}
