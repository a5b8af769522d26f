/**
 * Things that wait for their turn. Owners take turns, whoever came first; of one owner they go in the order of their
 * coming. Somebody who asks for hundreds of things at once waits for them, and nobody else does.
 */
export class WaitingLine<Thing> {
  /** By owner, each with something; the first in the map is next. */
  readonly #lines = new Map<string, Thing[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  push(owner: string, thing: Thing): void {
    const line = this.#lines.get(owner)
    if (line) line.push(thing)
    else this.#lines.set(owner, [thing])
    this.#size += 1
  }

  /** The next thing in turn, not yet taken out. */
  peek(): Thing | undefined {
    return this.#lines.values().next().value?.[0]
  }

  shift(): Thing | undefined {
    const [next] = this.#lines
    if (!next) return undefined
    const [owner, line] = next
    const thing = line.shift()
    this.#size -= 1
    // to the end of the round
    this.#lines.delete(owner)
    if (line.length > 0) this.#lines.set(owner, line)
    return thing
  }

  remove(thing: Thing): void {
    for (const [owner, line] of this.#lines) {
      const index = line.indexOf(thing)
      if (index >= 0) this.#take(owner, line, index)
    }
  }

  /** Takes out what came last of who has the most, when that is more than one beyond what this owner has. */
  yieldTo(owner: string): Thing | undefined {
    const own = this.#lines.get(owner)?.length ?? 0
    const [greatest, line] = [...this.#lines].reduce<[string, Thing[]]>(
      (most, one) => (one[1].length > most[1].length ? one : most),
      ['', []],
    )
    return line.length > own + 1 ? this.#take(greatest, line, line.length - 1) : undefined
  }

  *[Symbol.iterator](): Generator<Thing> {
    for (const line of this.#lines.values()) yield* line
  }

  clear(): void {
    this.#lines.clear()
    this.#size = 0
  }

  #take(owner: string, line: Thing[], index: number): Thing | undefined {
    const [thing] = line.splice(index, 1)
    this.#size -= 1
    if (line.length === 0) this.#lines.delete(owner)
    return thing
  }
}
