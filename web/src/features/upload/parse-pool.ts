import type { PickedFile } from './picked-files.ts'
import type { ReadOutcome } from './read-instance.ts'

export interface ParsedFile extends PickedFile {
  outcome: ReadOutcome
}

/** A worker's answer: one outcome for each file of the message, in its order. */
type ParseReply = ReadOutcome[]

/** The part of a Web Worker that the pool uses. */
export type ParseWorker = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>

interface PoolOptions {
  makeWorker: () => ParseWorker
  workers: number
  onParsed: (files: ParsedFile[]) => void
  signal?: AbortSignal
}

/**
 * Reads the headers of all files in Web Workers. A worker holds one message at a time and the walk is only asked for
 * more when a worker is free, so neither messages nor answers pile up. A worker that dies is replaced; the files it
 * held are tried one by one, and the one that kills it again is damaged.
 */
export async function parseFiles(batches: AsyncIterator<PickedFile[]>, options: PoolOptions): Promise<void> {
  async function work() {
    const desk = new Desk(options.makeWorker, options.signal)
    try {
      for (;;) {
        options.signal?.throwIfAborted()
        const next = await batches.next()
        if (next.done) return
        options.onParsed(await desk.read(next.value))
      }
    } finally {
      desk.close()
    }
  }
  await Promise.all(Array.from({ length: options.workers }, work))
}

class WorkerDied extends Error {}

/** One worker and the message it is busy with. */
class Desk {
  private worker: ParseWorker
  private readonly makeWorker: () => ParseWorker
  private readonly signal: AbortSignal | undefined

  constructor(makeWorker: () => ParseWorker, signal: AbortSignal | undefined) {
    this.makeWorker = makeWorker
    this.signal = signal
    this.worker = makeWorker()
  }

  async read(files: PickedFile[]): Promise<ParsedFile[]> {
    try {
      const outcomes = await this.ask(files.map((one) => one.file))
      return files.map((one, k) => ({ ...one, outcome: outcomes[k] ?? damaged }))
    } catch (error) {
      if (!(error instanceof WorkerDied)) throw error
      this.worker.terminate()
      this.worker = this.makeWorker()
      if (files.length === 1) return files.map((one) => ({ ...one, outcome: damaged }))
      const parsed: ParsedFile[] = []
      for (const one of files) parsed.push(...(await this.read([one])))
      return parsed
    }
  }

  close() {
    this.worker.terminate()
  }

  private ask(files: File[]): Promise<ParseReply> {
    const { worker, signal } = this
    const settled = new AbortController()
    const once = { once: true, signal: settled.signal }
    const reply = new Promise<ParseReply>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), once)
      worker.addEventListener('message', (event: MessageEvent<ParseReply>) => resolve(event.data), once)
      worker.addEventListener('error', () => reject(new WorkerDied('A parse worker died')), once)
    })
    worker.postMessage(files)
    return reply.finally(() => settled.abort())
  }
}

const damaged: ReadOutcome = { kind: 'skipped', reason: { kind: 'malformed' } }
