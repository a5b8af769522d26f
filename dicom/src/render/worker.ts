import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import { RenderError } from './render-error.ts'
import { type RenderResult, runRenderJob } from './render-job.ts'
import type { JobMessage, ReplyMessage } from './worker-messages.ts'

// Parallelism is the pool's: one picture a worker, and no cache of pixels between patients.
sharp.concurrency(1)
sharp.cache(false)

const port = parentPort
if (!port) throw new Error('This file runs as a worker thread.')

port.on('message', ({ number, job }: JobMessage) => {
  runRenderJob(job).then(
    (result) => port.postMessage({ number, result } satisfies ReplyMessage, transferablesOf(result)),
    (error: unknown) => port.postMessage({ number, ...describe(error) } satisfies ReplyMessage),
  )
})

function transferablesOf(result: RenderResult): ArrayBuffer[] {
  return 'bytes' in result ? [result.bytes.buffer] : [result.offsets.buffer, result.lengths.buffer]
}

function describe(error: unknown) {
  if (error instanceof RenderError) return { fault: error.fault, message: error.message }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code === 'string' && 'syscall' in (error as Error)) {
    return { fault: 'unreadable' as const, message: `The file cannot be read (${code}).` }
  }
  return { fault: undefined, message: error instanceof Error ? error.message : String(error) }
}
