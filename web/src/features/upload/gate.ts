/** Why nothing is being sent for the moment. */
export type HoldReason = 'paused' | 'offline' | 'signed-out' | 'full'

/**
 * A gate for all lanes before each try. Closing it also stops the tries that are under way, through `signal`: a
 * person who presses Pause expects the line to be free. The bytes of a stopped try are sent again later.
 */
export class UploadGate {
  private readonly reasons = new Set<HoldReason>()
  private breaker = new AbortController()
  private scoutBreaker = new AbortController()
  private waiting = Promise.withResolvers<void>()
  private renewer = new AbortController()
  private readonly onChange: (reason: HoldReason | undefined) => void

  constructor(onChange: (reason: HoldReason | undefined) => void = () => undefined) {
    this.onChange = onChange
    this.waiting.resolve()
  }

  /** The most pressing reason to wait, or undefined when the gate is open. */
  get reason(): HoldReason | undefined {
    return (['signed-out', 'paused', 'offline', 'full'] as const).find((reason) => this.reasons.has(reason))
  }

  /** Aborts when the gate closes; a fresh one stands after each opening. */
  get signal(): AbortSignal {
    return this.breaker.signal
  }

  /** Aborts when the gate closes for another reason than `full`: for the one try that finds out whether there is room. */
  get scoutSignal(): AbortSignal {
    return this.scoutBreaker.signal
  }

  hold(reason: HoldReason) {
    if (this.reasons.size === 0) this.waiting = Promise.withResolvers<void>()
    this.reasons.add(reason)
    this.breaker.abort(new HeldUp(reason))
    if (reason !== 'full') this.scoutBreaker.abort(new HeldUp(reason))
    this.onChange(this.reason)
  }

  /** Takes one reason away; opens when it was the last. */
  release(reason: HoldReason) {
    if (!this.reasons.delete(reason)) return
    if (this.isOpenTo('full')) this.scoutBreaker = new AbortController()
    if (this.reasons.size === 0) this.breaker = new AbortController()
    const { waiting } = this
    if (this.reasons.size > 0) this.waiting = Promise.withResolvers<void>()
    waiting.resolve()
    this.onChange(this.reason)
  }

  /** Whether the gate is closed for a reason. */
  isHeldFor(reason: HoldReason): boolean {
    return this.reasons.has(reason)
  }

  private isOpenTo(though: HoldReason | undefined): boolean {
    return [...this.reasons].every((reason) => reason === though)
  }

  /** Aborts when the tries that are under way and still send are to begin anew. */
  get renewal(): AbortSignal {
    return this.renewer.signal
  }

  /** Ends the tries that are under way and still send, so that each begins anew. */
  renew() {
    const { renewer } = this
    this.renewer = new AbortController()
    renewer.abort(new HeldUp('offline'))
  }

  /**
   * Resolves when the gate is open.
   * @param though a reason that does not hinder this one
   * @throws the signal's reason when that aborts first
   */
  async pass(signal: AbortSignal, though?: HoldReason): Promise<void> {
    signal.throwIfAborted()
    if (this.isOpenTo(though)) return
    const left = Promise.withResolvers<never>()
    const rejectPass = () => left.reject(signal.reason)
    signal.addEventListener('abort', rejectPass, { once: true })
    try {
      while (!this.isOpenTo(though)) await Promise.race([this.waiting.promise, left.promise])
    } finally {
      signal.removeEventListener('abort', rejectPass)
    }
  }
}

/** A try that ended because the gate closed: it counts neither as a failure nor as one of the five tries. */
export class HeldUp extends Error {
  readonly reason: HoldReason

  constructor(reason: HoldReason) {
    super(`Held up: ${reason}`)
    this.reason = reason
  }
}
