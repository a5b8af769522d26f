/** `npm start`: sets everything up on a fresh clone, then hands over to the server with the arguments given. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { serverEnvironment, serverFlags } from './server-flags.mjs'
import { prepare, root, runInForeground, runTool, SetupError } from './setup.mjs'
import { buildWeb } from './web-build.mjs'

await runTool(async () => {
  const main = path.join(root, 'server', 'src', 'main.ts')
  if (!existsSync(main)) throw new SetupError('server/src/main.ts is missing: this checkout has no server to start.')
  const node = prepare()
  // a setting that cannot be used is told before minutes of building
  const faulty = await runInForeground(node, [path.join(root, 'server', 'src', 'check-settings.ts')])
  if (faulty !== 0) return faulty
  buildWeb(node)
  return runInForeground(node, [...serverFlags, main, ...process.argv.slice(2)], serverEnvironment)
})
