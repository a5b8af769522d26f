/** Up to this size room is doubled, which copies; beyond it all the room that may be needed is taken at once. */
const MOST_COPIED_BYTES = 4 * 1024 * 1024

/**
 * The beginning of a file, gathered in one buffer as it comes: a buffer can be handed to a thread and back without
 * copying, where joining and copying 64 MB would keep every other request waiting. Memory that nothing was written to
 * costs nothing.
 */
export class GatheredBytes {
  readonly #mostBytes: number
  #buffer = new ArrayBuffer(0)
  #length = 0

  /** @param mostBytes how much will come at most, as far as is known */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** The gathered bytes; not to be held beyond the next `push` or `lend`. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#buffer, 0, this.#length)
  }

  push(chunk: Uint8Array): void {
    const wanted = this.#length + chunk.length
    if (wanted > this.#buffer.byteLength) this.#makeRoom(wanted)
    new Uint8Array(this.#buffer).set(chunk, this.#length)
    this.#length = wanted
  }

  /** Gives the buffer away to work that gives it back, or fails: what was gathered is lost then. */
  async lend<Answer>(
    work: (lent: { buffer: ArrayBuffer; length: number }) => Promise<{ buffer: ArrayBuffer; answer: Answer }>,
  ): Promise<Answer> {
    const { buffer, answer } = await work({ buffer: this.#buffer, length: this.#length })
    this.#buffer = buffer
    return answer
  }

  /** Gives the memory back at once, instead of when the collector comes round to it. */
  free(): void {
    if (!this.#buffer.detached) this.#buffer.transfer(0)
    this.#buffer = new ArrayBuffer(0)
    this.#length = 0
  }

  #makeRoom(wanted: number): void {
    const room = wanted <= MOST_COPIED_BYTES ? 2 * wanted : Math.max(this.#mostBytes, wanted)
    const old = this.bytes
    this.#buffer = new ArrayBuffer(room)
    new Uint8Array(this.#buffer).set(old)
  }
}
