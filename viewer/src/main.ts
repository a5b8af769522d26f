import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareViewer } from './prepare-viewer.ts'

/** `node viewer/src/main.ts [--cache <folder>] [--tarball <file>]`: prepares the full viewer. Prints its folder at once. */
const { values } = parseArgs({ options: { cache: { type: 'string' }, tarball: { type: 'string' } } })
const stop = new AbortController()
process.once('SIGINT', () => stop.abort(new Error('stopped')))
process.once('SIGTERM', () => stop.abort(new Error('stopped')))
try {
  await prepareViewer({
    // npm, which works in a folder of its own, is told this path
    cacheDir: resolve(values.cache ?? join(import.meta.dirname, '..', '..', '.cache')),
    signal: stop.signal,
    onNamed: (dir) => process.stdout.write(`${dir}\n`),
    ...(values.tarball === undefined ? {} : { tarball: values.tarball }),
  })
} catch (error) {
  process.stderr.write(`The full viewer is not ready: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
