import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('main.ts', import.meta.url))
/** Of what the other process says, the end is enough to see what failed. */
const MAX_SAID_CHARS = 2000

/**
 * Makes OHIF ready as `prepareViewer` does, in a process of its own: making its scripts small takes half a gigabyte of
 * memory, which a server would keep as long as it runs.
 * @returns its folder
 * @throws Error in words for the operator
 */
export function prepareViewerApart(options: {
  cacheDir: string
  signal?: AbortSignal
  tarball?: string
  onNamed?: (dir: string) => void
}): Promise<{ dir: string }> {
  const { cacheDir, signal, tarball, onNamed } = options
  const args = [script, '--cache', cacheDir, ...(tarball === undefined ? [] : ['--tarball', tarball])]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(signal ? { signal } : {}) })
    let found = ''
    let said = ''
    let fault: Error | undefined
    child.stdout.on('data', (text: Buffer) => {
      const isNamed = found.includes('\n')
      found += text.toString('utf8')
      if (!isNamed && found.includes('\n')) onNamed?.(found.trimEnd())
    })
    child.stderr.on('data', (text: Buffer) => {
      said = (said + text.toString('utf8')).slice(-MAX_SAID_CHARS)
    })
    child.on('error', (cause) => {
      fault = cause
      // one that runs and was told to stop ends by itself, after it has cleaned up
      if (child.pid === undefined) reject(cause)
    })
    child.on('close', (code) => {
      if (code === 0 && !fault) resolve({ dir: found.trimEnd() })
      else reject(fault ?? new Error(said.trim() || `Preparing the full viewer ended with ${code}`))
    })
  })
}
