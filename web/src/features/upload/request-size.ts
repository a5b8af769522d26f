/** Fewer files are sent one by one: each request saves a few milliseconds, and several files in one are lost together. */
const TOGETHER_FROM_FILES = 200
const MOST_FILES = 16
/** Bytes of a request of several files, which are in memory while it is sent. */
const MOST_BYTES = 4 * 1024 * 1024
/** Requests that are over within this time may grow. */
const QUICK_MS = 300
/** Requests that take longer become smaller: a line that breaks costs what was under way. */
const SLOW_MS = 1000

/**
 * How many files of an upload go in one request: one at first, more and more while requests are over quickly, fewer where
 * they are slow, and one again after a failure.
 */
export class RequestSize {
  files = 1
  readonly bytes = MOST_BYTES
  /** From here on a file goes by itself: what its request costs besides is little. */
  readonly largestBytes = MOST_BYTES / 4
  private readonly most: number

  /** @param fileCount files of the whole upload, 0 where none can go together */
  constructor(fileCount: number) {
    this.most = fileCount < TOGETHER_FROM_FILES ? 1 : MOST_FILES
  }

  /** Takes note of a request that is over. @param isWhole all of its files have arrived */
  note(tookMs: number, isWhole: boolean): void {
    if (!isWhole) this.files = 1
    else if (tookMs < QUICK_MS) this.files = Math.min(this.files * 2, this.most)
    else if (tookMs > SLOW_MS) this.files = Math.max(1, Math.floor(this.files / 2))
  }
}
