import { freeBytes } from '../storage/free-bytes.ts'
import type { OutgoingInstance } from './outgoing-instance.ts'

/** Read of a file before its turn: all of a CT. The rest of a longer one is read as it is sent. */
const AHEAD_BYTES = 1024 * 1024

/**
 * Files of a sending whose beginning is read while the peer still answers for another image: it waits for nobody's disk
 * then. Read ahead of its turn, an image leaves as any other, and only if it may by then.
 */
export class FilesAhead {
  readonly #begun = new Map<OutgoingInstance, FileAhead>()

  /**
   * Begins the first instance of a queue that was not begun before.
   * @param isRead whether the bytes of its file are what is sent, and not pixels that are decoded elsewhere
   */
  begin(queue: readonly OutgoingInstance[], isRead: (instance: OutgoingInstance) => boolean): void {
    const next = queue.find((one) => !this.#begun.has(one))
    if (next && isRead(next)) this.#begun.set(next, new FileAhead(next.open()))
  }

  /** An instance whose turn has come, with what was read of it. Its user closes it, whether it was read or not. */
  take(instance: OutgoingInstance): Turn {
    const file = this.#begun.get(instance)
    if (!file) return { instance, close: async () => undefined }
    this.#begun.delete(instance)
    return {
      instance: { ...instance, open: () => file.bytes() },
      close: (hasLeft) => file.close(hasLeft && instance.ownsChunks === true),
    }
  }

  /** Lets go of what was read and not sent. */
  async close(): Promise<void> {
    const files = [...this.#begun.values()]
    this.#begun.clear()
    await Promise.all(files.map((file) => file.close(false)))
  }
}

interface Turn {
  instance: OutgoingInstance
  /** @param hasLeft whether nobody reads its bytes any more, not even the connection */
  close: (hasLeft: boolean) => Promise<void>
}

class FileAhead {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #held: Uint8Array[] = []
  readonly #beginning: Promise<void>

  constructor(file: AsyncIterable<Uint8Array>) {
    this.#chunks = file[Symbol.asyncIterator]()
    this.#beginning = this.#read()
    // thrown to the reader of the bytes before the first of them, if there comes to be a reader
    this.#beginning.catch(() => undefined)
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    await this.#beginning
    yield* this.#held
    yield* { [Symbol.asyncIterator]: () => this.#chunks }
  }

  async close(freesChunks: boolean): Promise<void> {
    await this.#beginning.catch(() => undefined)
    if (freesChunks) freeBytes(this.#held)
    this.#held.length = 0
    // by now it is known what became of the image, which a file that cannot be closed does not change
    await this.#chunks.return?.().catch(() => undefined)
  }

  async #read(): Promise<void> {
    for (let bytes = 0; bytes < AHEAD_BYTES; ) {
      const { done, value } = await this.#chunks.next()
      if (done) return
      this.#held.push(value)
      bytes += value.length
    }
  }
}
