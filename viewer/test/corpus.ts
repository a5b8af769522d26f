import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * Where the large test corpus lies, or undefined when this machine has none; in CI it must be there.
 * @throws Error with CI=true and no corpus
 */
export function findCorpus(): string | undefined {
  const folder = resolve(
    process.env['HILUM_TEST_DICOM'] ?? resolve(import.meta.dirname, '..', '..', '..', 'shared', 'dicom'),
  )
  if (existsSync(folder)) return folder
  if (process.env['CI'] === 'true') throw new Error(`The DICOM test corpus is missing: ${folder}`)
  process.stderr.write(
    `\nNOT RUN: the viewer flows need the DICOM test corpus, which is not at ${folder} (HILUM_TEST_DICOM)\n\n`,
  )
  return undefined
}
