/**
 * Gathers single requests into batches: while one batch is worked on, the next gathers. Each request is answered with
 * its own result. When a batch fails, its items are tried one by one, so that one bad item fails alone.
 */
export function createGroupCommitter<Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
  maxItems: number,
): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxItems)
      waiting = waiting.slice(maxItems)
      await settle(batch)
    }
    isRunning = false
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
      if (!isRunning) void run()
    })
}
