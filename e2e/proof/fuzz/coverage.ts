import { type Profiler, Session } from 'node:inspector'

/** Loops that run once, twice or a hundred times are different ways through the code; 100 and 101 times are not. */
const countSteps = [1, 2, 3, 4, 8, 16, 32, 128]

/** Blocks of our own code that ran, as V8 counts them in this thread. */
export class Coverage {
  readonly #session = new Session()
  readonly #isOurs: (url: string) => boolean
  readonly #seen = new Set<string>()
  readonly #blocks = new Set<string>()

  constructor(isOurs: (url: string) => boolean) {
    this.#isOurs = isOurs
    this.#session.connect()
    this.#post('Profiler.enable')
    this.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** Blocks that ever ran. */
  get blocks(): number {
    return this.#blocks.size
  }

  /** Whether a block ran since the last call that never had, or about so often as never before. */
  tookNewWay(): boolean {
    const before = this.#seen.size
    for (const { block, count } of this.#take()) {
      this.#blocks.add(block)
      this.#seen.add(`${block}:${countSteps.findLast((step) => count >= step)}`)
    }
    return this.#seen.size > before
  }

  /** Whether a block ran since the last call that never had. Remembers nothing, so that it can be asked which input it was. */
  reachedNewBlock(): boolean {
    return this.#take().some(({ block }) => !this.#blocks.has(block))
  }

  #take(): { block: string; count: number }[] {
    const { result } = this.#post('Profiler.takePreciseCoverage') as Profiler.TakePreciseCoverageReturnType
    const ranges = result
      .filter(({ url }) => this.#isOurs(url))
      .flatMap(({ url, functions }) => functions.flatMap((one) => one.ranges.map((range) => ({ url, ...range }))))
    return ranges
      .filter(({ count }) => count > 0)
      .map(({ url, startOffset, endOffset, count }) => ({ block: `${url}:${startOffset}:${endOffset}`, count }))
  }

  #post(method: string, parameters: object = {}): unknown {
    let answer: unknown
    // the answer of a session with its own thread is there when post returns
    this.#session.post(method, parameters, (error, result) => {
      if (error) throw error
      answer = result
    })
    return answer
  }
}
