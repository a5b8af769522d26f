import { parseArgs } from 'node:util'
import { type StorageFault, verifyStorage } from '../areas/storage/verify-storage.command.ts'
import { readConfig } from '../config.ts'
import { openLog } from '../log.ts'
import { openServices } from '../open-services.ts'

/**
 * `npm run verify [-- --quick]`: is everything that was stored still there, and still what it was? Ends with 0 when all
 * is well, 1 when something is not, 2 when it could not look.
 */
async function run(): Promise<number> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
  await using opened = new AsyncDisposableStack()
  const { services, close } = await openServices(readConfig(), openLog('error'))
  opened.defer(close)
  const tell = ({ kind, what }: StorageFault) => void process.stdout.write(`${kind}: ${what}\n`)
  const { objects, bytes, faults } = await verifyStorage(services, { isQuick: values.quick, now: new Date(), tell })
  const looked = `${objects} objects, ${(bytes / 1024 ** 3).toFixed(2)} GB${values.quick ? ' (bytes not read)' : ''}`
  process.stdout.write(faults === 0 ? `All is well: ${looked}.\n` : `${faults} faults in ${looked}.\n`)
  return faults === 0 ? 0 : 1
}

try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`The storage could not be verified: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
