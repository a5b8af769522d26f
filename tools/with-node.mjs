/** `node tools/with-node.mjs file.ts …`: sets up, then runs a TypeScript file with the pinned Node. */
import { prepare, runInForeground, runTool, SetupError } from './setup.mjs'

await runTool(async () => {
  const [file, ...rest] = process.argv.slice(2)
  if (file === undefined) throw new SetupError('Usage: node tools/with-node.mjs <file.ts> [arguments]')
  return runInForeground(prepare(), [file, ...rest])
})
