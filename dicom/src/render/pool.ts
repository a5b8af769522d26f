import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { HeaderJsonRequest } from './header-json.ts'
import { RenderError } from './render-error.ts'
import type {
  CompareRequest,
  FragmentTable,
  FrameRequest,
  JsonText,
  ObjectLocation,
  RenderedPicture,
  RenderJob,
  RenderResult,
  ThumbnailRequest,
  TranscodedFrame,
  TranscodeRequest,
} from './render-job.ts'
import { WaitingLine } from './waiting-line.ts'
import type { JobMessage, ReplyMessage } from './worker-messages.ts'

export interface RenderPoolOptions {
  /** Workers; by default one a CPU, at most 2. */
  readonly size?: number
  /** Of one job, once a worker has taken it; default 20 s. */
  readonly timeLimitMs?: number
  /** Jobs that may wait; of further ones, those of who waits for most are refused as `busy`. Default 256. */
  readonly maxWaiting?: number
  /** The script of the threads; tests put misbehaving workers here. */
  readonly workerFile?: URL
  /** Of the JavaScript heap of one worker; pixels lie outside it and have their own limit. Default 256. */
  readonly maxHeapMb?: number
}

export interface JobOptions {
  /** A waiting job is dropped; a running one is left to finish unheard. */
  readonly signal?: AbortSignal
  /** For whom: owners take turns, so that one who asks for hundreds of pictures keeps no other waiting. */
  readonly owner?: string
}

/** Every call rejects with a `RenderError`, whatever happens to the worker. */
export interface RenderPool {
  thumbnail(request: ThumbnailRequest, options?: JobOptions): Promise<RenderedPicture>
  frame(request: FrameRequest, options?: JobOptions): Promise<RenderedPicture>
  transcode(request: TranscodeRequest, options?: JobOptions): Promise<TranscodedFrame>
  /** Where the fragments of encapsulated pixels lie: an object may hold millions. */
  fragments(request: ObjectLocation, options?: JobOptions): Promise<FragmentTable>
  /** The header of an image as JSON: one with millions of elements takes seconds. */
  headerJson(request: ObjectLocation & HeaderJsonRequest, options?: JobOptions): Promise<JsonText>
  /** Whether two objects hold the same in whatever writing, and what differs: a `Comparison` as JSON. */
  compare(request: CompareRequest, options?: JobOptions): Promise<JsonText>
  /** Jobs waiting for a worker. */
  readonly waiting: number
  /** Rejects what waits or runs, and ends the workers. */
  close(): Promise<void>
}

interface Task {
  readonly job: RenderJob
  readonly settle: (outcome: { result: RenderResult } | { error: Error }) => void
}

interface Seat {
  worker: Worker
  task: Task | undefined
  number: number
  timer: NodeJS.Timeout | undefined
}

const renderWorker = new URL('./worker.ts', import.meta.url)

/**
 * A pool of threads that read and draw pixels, and tell large headers: hostile or huge images cost at most their time limit and their worker.
 * Workers start with the first job and do not keep the process alive.
 */
export function createRenderPool(options: RenderPoolOptions = {}): RenderPool {
  const size = Math.max(1, options.size ?? Math.min(2, availableParallelism()))
  const timeLimitMs = options.timeLimitMs ?? 20_000
  const maxWaiting = options.maxWaiting ?? 256
  const waiting = new WaitingLine<Task>()
  const seats = new Set<Seat>()
  let isClosed = false

  function startWorker(): Seat {
    const worker = new Worker(options.workerFile ?? renderWorker, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb ?? 256 },
    })
    const seat: Seat = { worker, task: undefined, number: 0, timer: undefined }
    worker.unref()
    worker.on('message', (reply: ReplyMessage) => finish(seat, reply))
    worker.on('error', (cause) => lose(seat, new RenderError('crashed', 'Drawing the picture failed.', { cause })))
    worker.on('exit', () => lose(seat, new RenderError('crashed', 'Drawing the picture failed.')))
    seats.add(seat)
    return seat
  }

  function finish(seat: Seat, reply: ReplyMessage): void {
    const { task } = seat
    if (!task || reply.number !== seat.number) return
    release(seat)
    task.settle('result' in reply ? { result: reply.result } : { error: errorOf(reply) })
    giveOut()
  }

  function release(seat: Seat): void {
    clearTimeout(seat.timer)
    seat.task = undefined
    seat.worker.unref()
  }

  /** The worker is gone or has to go: its job fails, and the next job gets a fresh worker. */
  function lose(seat: Seat, error: RenderError): Promise<number> {
    if (!seats.delete(seat)) return Promise.resolve(0)
    const { task } = seat
    release(seat)
    task?.settle({ error })
    const ended = seat.worker.terminate()
    giveOut()
    return ended
  }

  function giveOut(): void {
    while (waiting.size > 0) {
      const idle = [...seats].find((seat) => !seat.task) ?? (seats.size < size ? startWorker() : undefined)
      const task = idle && waiting.shift()
      if (!idle || !task) return
      idle.task = task
      idle.number += 1
      // A process must not end while it waits for a picture.
      idle.worker.ref()
      idle.worker.postMessage({ number: idle.number, job: task.job } satisfies JobMessage)
      const seconds = `${timeLimitMs / 1000} s`
      idle.timer = setTimeout(() => {
        void lose(idle, new RenderError('timedOut', `Drawing the picture took longer than ${seconds}.`))
      }, timeLimitMs)
    }
  }

  function run<T>(job: RenderJob, { signal, owner = '' }: JobOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const cancelled = () => new RenderError('cancelled', 'Drawing the picture was cancelled.')
      if (isClosed) return reject(new RenderError('closed', 'The renderer is shutting down.'))
      if (signal?.aborted) return reject(cancelled())
      if (waiting.size >= maxWaiting) {
        const givesWay = waiting.yieldTo(owner)
        if (!givesWay) return reject(busy())
        givesWay.settle({ error: busy() })
      }
      const task: Task = {
        job,
        settle(outcome) {
          signal?.removeEventListener('abort', abort)
          if ('error' in outcome) reject(outcome.error)
          // The worker answers a job of one kind with the result of that kind.
          else resolve(outcome.result as T)
        },
      }
      function abort(): void {
        waiting.remove(task)
        reject(cancelled())
      }
      signal?.addEventListener('abort', abort, { once: true })
      waiting.push(owner, task)
      giveOut()
    })
  }

  return {
    thumbnail: (request, jobOptions) => run({ kind: 'thumbnail', request }, jobOptions),
    frame: (request, jobOptions) => run({ kind: 'frame', request }, jobOptions),
    transcode: (request, jobOptions) => run({ kind: 'transcode', request }, jobOptions),
    fragments: (request, jobOptions) => run({ kind: 'fragments', request }, jobOptions),
    headerJson: (request, jobOptions) => run({ kind: 'headerJson', request }, jobOptions),
    compare: (request, jobOptions) => run({ kind: 'compare', request }, jobOptions),
    get waiting() {
      return waiting.size
    },
    async close() {
      isClosed = true
      const closed = () => new RenderError('closed', 'The renderer is shutting down.')
      const left = [...waiting]
      waiting.clear()
      for (const task of left) task.settle({ error: closed() })
      await Promise.all([...seats].map((seat) => lose(seat, closed())))
    },
  }
}

function busy(): RenderError {
  return new RenderError('busy', 'Too many pictures are waiting.')
}

function errorOf(reply: { fault: RenderError['fault'] | undefined; message: string }): RenderError {
  return new RenderError(reply.fault ?? 'crashed', reply.message)
}
