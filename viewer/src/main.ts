import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareViewer } from './prepare-viewer.ts'

/** `node viewer/src/main.ts [--cache <folder>] [--tarball <file>]`: prepares the full viewer and prints its folder. */
const { values } = parseArgs({ options: { cache: { type: 'string' }, tarball: { type: 'string' } } })
const stop = new AbortController()
process.once('SIGINT', () => stop.abort(new Error('stopped')))
process.once('SIGTERM', () => stop.abort(new Error('stopped')))
try {
  const prepared = await prepareViewer({
    // npm, which works in a folder of its own, is told this path
    cacheDir: resolve(values.cache ?? join(import.meta.dirname, '..', '..', '.cache')),
    signal: stop.signal,
    ...(values.tarball === undefined ? {} : { tarball: values.tarball }),
  })
  process.stdout.write(`${prepared.dir}\n`)
} catch (error) {
  process.stderr.write(`The full viewer is not ready: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
