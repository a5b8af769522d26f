import { join } from 'node:path'
import { rolldown } from 'rolldown'

const source = join(import.meta.dirname, '..', 'page', 'src', 'full', 'configuration.ts')

/** OHIF's configuration and our part of its page as one script. It shares code with the quick viewer. */
export async function bundleConfiguration(): Promise<string> {
  await using bundle = await rolldown({ input: source, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  return output[0].code
}
