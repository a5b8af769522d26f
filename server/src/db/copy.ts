import { once } from 'node:events'
import { Readable } from 'node:stream'
import type pg from 'pg'

/*
 * COPY over a connection of the pool, as streams. The driver hands a running statement what the server says (these
 * methods' names are the driver's); one row is one message, so rows are gathered into larger pieces.
 */

const PIECE_BYTES = 64 * 1024

/** The driver's connection with the methods that its types leave out. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk: (chunk: Uint8Array) => void
  endCopyFrom: () => void
  sendCopyFail: (reason: string) => void
}

/** The output of `copy … to stdout`. Read it to its end before the connection is asked for anything else. */
export function copyOut(client: pg.ClientBase, statement: string): Readable {
  const copy = new CopyOut(statement)
  client.query(copy)
  return copy.output
}

/** Feeds `copy … from stdin`; gives how many rows went in. */
export function copyIn(client: pg.ClientBase, statement: string, input: AsyncIterable<Uint8Array>): Promise<number> {
  const copy = new CopyIn(statement, input)
  client.query(copy)
  return copy.result
}

class CopyOut implements pg.Submittable {
  readonly output: Readable
  readonly #statement: string
  #connection: CopyConnection | undefined
  #pieces: Buffer[] = []
  #bytes = 0

  constructor(statement: string) {
    this.#statement = statement
    const resume = () => this.#connection?.stream.resume()
    this.output = new Readable({
      read: resume,
      // a reader that stops early still lets the statement come to its end
      destroy: (error, done) => {
        resume()
        done(error)
      },
    })
  }

  submit = (connection: pg.Connection) => {
    this.#connection = connection as CopyConnection
    connection.query(this.#statement)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.output.destroyed) return
    this.#pieces.push(Buffer.from(chunk)) // the driver uses the memory again
    this.#bytes += chunk.length
    if (this.#bytes >= PIECE_BYTES) this.#flush()
  }

  handleCommandComplete(): void {
    if (!this.output.destroyed) this.#flush()
  }

  handleReadyForQuery(): void {
    if (!this.output.destroyed) this.output.push(null)
  }

  handleError(error: Error): void {
    this.output.destroy(error)
  }

  #flush(): void {
    if (this.#bytes === 0) return
    const wantsMore = this.output.push(Buffer.concat(this.#pieces))
    this.#pieces = []
    this.#bytes = 0
    if (!wantsMore) this.#connection?.stream.pause()
  }
}

class CopyIn implements pg.Submittable {
  readonly result: Promise<number>
  readonly #statement: string
  readonly #input: AsyncIterable<Uint8Array>
  readonly #settle: { resolve: (rows: number) => void; reject: (error: unknown) => void }
  readonly #over = new AbortController()
  #rows = 0
  #inputFault: { error: unknown } | undefined

  constructor(statement: string, input: AsyncIterable<Uint8Array>) {
    this.#statement = statement
    this.#input = input
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.result = promise
    this.#settle = { resolve, reject }
  }

  submit = (connection: pg.Connection) => connection.query(this.#statement)

  handleCopyInResponse(connection: pg.Connection): void {
    void this.#feed(connection as CopyConnection)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rows = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0)
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#rows)
  }

  handleError(error: Error): void {
    this.#over.abort()
    // a fault of the input comes back as the server's word about it; the fault itself says more
    this.#settle.reject(this.#inputFault ? this.#inputFault.error : error)
  }

  async #feed(connection: CopyConnection): Promise<void> {
    const { signal } = this.#over
    try {
      for await (const chunk of this.#input) {
        if (signal.aborted) return
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal })
      }
      if (!signal.aborted) connection.endCopyFrom()
    } catch (error) {
      if (signal.aborted) return // the server has said already what is wrong
      this.#inputFault = { error }
      connection.sendCopyFail('the input failed')
    }
  }
}
