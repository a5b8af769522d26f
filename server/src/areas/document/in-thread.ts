import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { parentPort, type Transferable, Worker, workerData } from 'node:worker_threads'
import { StorageError, type StorageErrorCode } from '@hilum/contract/storage-errors'

type Message<Value> =
  | { kind: 'value'; value: Value }
  | { kind: 'end' }
  | { kind: 'refused'; code: StorageErrorCode; message: string }
  | { kind: 'failed'; message: string }

interface ThreadLimits {
  /** For each value; the thread is ended when it takes longer. */
  stepMs: number
  /** Of the JavaScript heap; what lies outside it the thread has to limit itself. */
  heapMb: number
}

/**
 * Runs a file in a thread of its own and gives what it answers, one value at a time: whatever a hostile document does
 * to its reader, it costs at most these limits. The thread sees no environment, and what it prints is dropped, since it
 * may quote the document.
 * @param handedOver buffers in `given` that the thread gets without copying; they are empty here afterwards
 * @throws StorageError VALIDATION_ERROR, PAYLOAD_TOO_LARGE
 */
export async function* inThread<Value>(
  file: URL,
  given: unknown,
  limits: ThreadLimits,
  handedOver: Transferable[] = [],
): AsyncGenerator<Value> {
  const worker = new Worker(file, {
    workerData: given,
    transferList: handedOver,
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
  })
  worker.stdout.resume()
  worker.stderr.resume()
  let step = Promise.withResolvers<Message<Value>>()
  let ended: StorageError | undefined
  const fail = (error: StorageError) => {
    ended ??= error
    step.reject(error)
  }
  worker.on('message', (message: Message<Value>) => step.resolve(message))
  worker.on('error', (cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    fail(code === outOfMemory ? tooMuch(cause) : broken(cause))
  })
  worker.on('exit', () => fail(broken()))
  try {
    for (;;) {
      const timer = setTimeout(() => fail(tooSlow(limits.stepMs)), limits.stepMs)
      const message = await step.promise.finally(() => clearTimeout(timer))
      if (message.kind === 'end') return
      if (message.kind === 'refused') throw new StorageError(message.code, message.message)
      if (message.kind === 'failed') throw broken(new Error(message.message))
      yield message.value
      if (ended) throw ended
      step = Promise.withResolvers()
      worker.postMessage('next')
    }
  } finally {
    // messages of a thread that is ending are heard by nobody
    step.promise.catch(() => undefined)
    await worker.terminate()
  }
}

/** Like `inThread`, for a thread that gives one answer. @throws StorageError as `inThread` does */
export async function answerOfThread<Value>(...asked: Parameters<typeof inThread>): Promise<Value> {
  for await (const one of inThread<Value>(...asked)) return one
  throw new Error('The thread ended without an answer')
}

/**
 * The thread's side: makes values, each when it is asked for, from what was given, and steps back behind the threads
 * that answer requests.
 * @param handOver buffers of a value that leave without copying
 */
export async function answerThread<Given, Value>(
  make: (given: Given) => AsyncGenerator<Value>,
  handOver: (value: Value) => Transferable[] = () => [],
): Promise<void> {
  const port = parentPort
  if (!port) throw new Error('This file runs as a worker thread.')
  // on Linux a priority belongs to a thread, elsewhere to the whole process
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const say = (message: Message<Value>, transfer: Transferable[] = []) => port.postMessage(message, transfer)
  try {
    for await (const value of make(workerData as Given)) {
      say({ kind: 'value', value }, handOver(value))
      await once(port, 'message')
    }
    say({ kind: 'end' })
  } catch (error) {
    if (error instanceof StorageError) say({ kind: 'refused', code: error.code, message: error.message })
    else say({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
}

const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY'

function tooMuch(cause: unknown): StorageError {
  return new StorageError('PAYLOAD_TOO_LARGE', 'Drawing the document takes more memory than allowed', {}, { cause })
}

function tooSlow(stepMs: number): StorageError {
  return new StorageError('PAYLOAD_TOO_LARGE', `Drawing the document takes longer than ${stepMs / 1000} s`)
}

function broken(cause?: unknown): StorageError {
  return new StorageError('VALIDATION_ERROR', 'The document cannot be drawn', { reason: 'damaged' }, { cause })
}
