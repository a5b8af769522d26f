/**
 * A process that starts the embedded PostgreSQL, prints its address and process as JSON, and stops it on SIGTERM:
 * the database that tests kill. Arguments: data folder, folder of the programs (or "-"), and the user and group to become first.
 */
import { startEmbeddedPostgres } from '../src/db/embedded-postgres.ts'

const [dataFolder = '', binFolder = '-', uid, gid] = process.argv.slice(2)
if (uid !== undefined && gid !== undefined) {
  process.setgroups?.([])
  process.setgid?.(Number(gid))
  process.setuid?.(Number(uid))
}
const server = await startEmbeddedPostgres(dataFolder, binFolder === '-' ? undefined : binFolder)
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)))
process.stdout.write(`${JSON.stringify({ url: server.url, pid: server.pid })}\n`)
