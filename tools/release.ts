/** `npm run release [-- --platform linux-x64] [--into <folder>]`: one archive that starts without npm, registry or compiler. */
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { assertBuildable, assertClean, makeRelease, ReleaseError } from './release/make-release.ts'

const { values } = parseArgs({ options: { platform: { type: 'string' }, into: { type: 'string' } } })
const root = path.resolve(import.meta.dirname, '..')
const platform = values.platform ?? `${process.platform}-${process.arch}`
try {
  assertBuildable(platform)
  await assertClean(root)
  const into = path.resolve(values.into ?? path.join(root, 'dist'))
  await mkdir(into, { recursive: true })
  const { archive, bytes } = await makeRelease({ root, platform, into, say: (line) => console.log(line) })
  const megabytes = (count: number) => `${Math.round(count / 1e6)} MB`
  console.log(`${archive}: ${megabytes((await stat(archive)).size)}, unpacked ${megabytes(bytes)}`)
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
