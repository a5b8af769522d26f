type GroupLimits<Item> = {
  maxItems: number
  /** A batch waits at most this long for the items that are on their way. */
  lingerMs: number
  /** Items on their way, those that wait here among them: one alone never waits. */
  countExpected: () => number
  /** Items of one key may join a batch whose commit has begun. */
  keyOf: (item: Item) => string
}

/**
 * Works on a batch. `gather` closes it: the first items, and those that came meanwhile for the same keys. Results are
 * those of the items that it gave, in their order; work that fails before it was asked failed for the first items.
 */
type Commit<Item, Result> = (
  first: readonly Item[],
  gather: () => Promise<readonly Item[]>,
) => Promise<readonly Result[]>

/**
 * Gathers single requests into batches: while one batch is worked on, the next gathers. Where one key alone is sent for,
 * work begins at once and waits for more items where `gather` is asked for, so that its first steps cost no time; where
 * several are, items are waited for before, whatever their keys. Each request is answered with its own result. When a batch fails, its
 * items are tried one by one, so that one bad item fails alone.
 */
export function createGroupCommitter<Item, Result>(
  commit: Commit<Item, Result>,
  { maxItems, lingerMs, countExpected, keyOf }: GroupLimits<Item>,
): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let isRunning = false
  /** Keys of the last batch, and of the items that it left. */
  let lately: ReadonlySet<string> = new Set()
  /** Called with each item that comes while a batch gathers. */
  let noteJoined: () => void = () => undefined

  const keysOf = (items: readonly Waiting[]) => new Set(items.map((one) => keyOf(one.item)))

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const batch: Waiting[] = []
      join(batch, () => true)
      const keys = keysOf(batch)
      const close = async () => {
        await linger(batch)
        join(batch, (one) => !isOfOne || keys.has(keyOf(one.item)))
        lately = keysOf([...batch, ...waiting])
      }
      const isOfOne = lately.size === 1 && keys.size === 1 && keys.isSubsetOf(lately)
      if (isOfOne) await settle(batch, close)
      else {
        await close()
        await settle(batch)
      }
    }
    isRunning = false
  }

  /** Takes from those that wait what may join a batch and has room in it. */
  function join(batch: Waiting[], mayJoin: (one: Waiting) => boolean): void {
    const left: Waiting[] = []
    for (const one of waiting) (batch.length < maxItems && mayJoin(one) ? batch : left).push(one)
    waiting = left
  }

  function linger(batch: readonly Waiting[]): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lingerMs)
      noteJoined = () => {
        if (batch.length + waiting.length < Math.min(maxItems, countExpected())) return
        clearTimeout(timer)
        resolve()
      }
      noteJoined()
    })
  }

  /** @param close lets more items join the batch; without it nothing joins */
  async function settle(batch: readonly Waiting[], close?: () => Promise<void>): Promise<void> {
    const items = () => batch.map((one) => one.item)
    try {
      const results = await commit(items(), async () => {
        await close?.()
        return items()
      })
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
