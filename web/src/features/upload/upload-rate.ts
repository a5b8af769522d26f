/** The last seconds count: a rate over the whole upload would take minutes to notice a changed line. */
const WINDOW_MS = 10_000

/** Bytes per second over the last ten seconds, and the time left. Told of the total sent so far whenever it changes. */
export class UploadRate {
  private readonly marks: { atMs: number; bytes: number }[] = []

  mark(atMs: number, bytes: number) {
    this.marks.push({ atMs, bytes })
    while (this.marks.length > 2 && atMs - (this.marks[0]?.atMs ?? atMs) > WINDOW_MS) this.marks.shift()
  }

  /** Undefined until two seconds have been seen. */
  bytesPerSecond(): number | undefined {
    const first = this.marks[0]
    const last = this.marks.at(-1)
    if (!first || !last || last.atMs - first.atMs < 2000) return undefined
    return Math.max(0, ((last.bytes - first.bytes) * 1000) / (last.atMs - first.atMs))
  }

  /** Forgets what was seen: after a pause the old rate says nothing. */
  restart() {
    this.marks.length = 0
  }
}

/** Seconds until all is sent, undefined while the rate is unknown or nothing moves. */
export function secondsLeft(remainingBytes: number, bytesPerSecond: number | undefined): number | undefined {
  return bytesPerSecond ? Math.ceil(remainingBytes / bytesPerSecond) : undefined
}
