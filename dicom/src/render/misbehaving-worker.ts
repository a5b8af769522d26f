/** A worker for tests of the pool: it hangs, dies or eats memory when the path says so. */
import { parentPort } from 'node:worker_threads'
import type { JobMessage } from './worker-messages.ts'

parentPort?.on('message', ({ number, job }: JobMessage) => {
  const path = 'path' in job.request ? job.request.path : job.request.first.path
  if (path === 'hang') for (;;);
  if (path === 'die') process.exit(1)
  if (path === 'throw') throw new Error('a defect')
  if (path === 'eat') {
    const eaten: number[][] = []
    for (;;) eaten.push(Array.from({ length: 100_000 }, Math.random))
  }
  if (path === 'wait') return
  parentPort?.postMessage({ number, result: { bytes: new Uint8Array([1]), frame: 0, frameCount: 1 } })
})
