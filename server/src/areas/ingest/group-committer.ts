type GroupLimits = {
  maxItems: number
  /** A batch waits at most this long for the items that are on their way. */
  lingerMs: number
  /** Items on their way, those that wait here among them: one alone never waits. */
  countExpected: () => number
}

/**
 * Gathers single requests into batches: while one batch is worked on, the next gathers. Each request is answered with
 * its own result. When a batch fails, its items are tried one by one, so that one bad item fails alone.
 */
export function createGroupCommitter<Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
  { maxItems, lingerMs, countExpected }: GroupLimits,
): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let isRunning = false
  /** Called with each item that joins a batch which is being gathered. */
  let noteJoined: () => void = () => undefined

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      await gather()
      const batch = waiting.slice(0, maxItems)
      waiting = waiting.slice(maxItems)
      await settle(batch)
    }
    isRunning = false
  }

  function gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lingerMs)
      noteJoined = () => {
        if (waiting.length < Math.min(maxItems, countExpected())) return
        clearTimeout(timer)
        resolve()
      }
      noteJoined()
    })
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await commit(batch.map((one) => one.item))
      for (const [index, one] of batch.entries()) one.resolve(results[index] as Result)
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error)
      else for (const one of batch) await settle([one])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isRunning) noteJoined()
      else void run()
    })
}
