import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'

const running = new Set<ChildProcess>()

/** Stops whatever was started and still runs. */
export async function stopAllChildren(): Promise<void> {
  await Promise.all([...running].map(stopChild))
}

/** Keeps the last part of a process's output. */
export function collectOutput(child: ChildProcess): () => string {
  running.add(child)
  child.once('exit', () => running.delete(child))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(-20_000)
    })
  }
  return () => output
}

/** Asks until the answer is something. @throws Error with what the process printed, when it ends or takes too long */
export async function waitFor<T>(
  child: ChildProcess,
  output: () => string,
  limitMs: number,
  ask: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const start = performance.now()
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It ended at once:\n${output()}`)
    if (performance.now() - start > limitMs) throw new Error(`It did not get ready:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
