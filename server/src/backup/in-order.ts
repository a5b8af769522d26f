/** Does things several at a time, and gives what came of them in the order in which they were asked for. */
export async function* inOrder<Item, Done>(
  items: AsyncIterable<Item>,
  lanes: number,
  act: (item: Item) => Promise<Done>,
): AsyncGenerator<Done> {
  const running: Promise<Done>[] = []
  try {
    for await (const item of items) {
      const started = act(item)
      started.catch(() => undefined) // awaited below, in order
      running.push(started)
      if (running.length >= lanes) yield await (running.shift() as Promise<Done>)
    }
    while (running.length > 0) yield await (running.shift() as Promise<Done>)
  } finally {
    await Promise.allSettled(running)
  }
}
