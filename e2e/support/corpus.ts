import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'

const repository = resolve(import.meta.dirname, '..', '..')
const folder = resolve(repository, process.env['HILUM_TEST_DICOM'] ?? '../shared/dicom')

/** True when the corpus is there; with CI=true its absence is a failure. */
export const hasCorpus = existsSync(join(folder, 'MANIFEST.tsv'))
if (!hasCorpus) {
  const words = `There is no DICOM corpus at ${folder} (HILUM_TEST_DICOM)`
  if (process.env['CI'] === 'true') throw new Error(`${words}; with CI=true it must be there.`)
  process.stderr.write(`\n!! ${words}: the flows with real studies DID NOT RUN.\n\n`)
}

/** A folder as somebody would choose it, outside the corpus, and how to be rid of it. */
export interface PickFolder {
  path: string
  remove: () => void
}

export function makeFolder(): PickFolder {
  const path = mkdtempSync(join(tmpdir(), 'hilum-pick-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * Copies files and folders of the corpus, keeping their paths.
 * @param most files taken of each place
 */
export function pickFromCorpus(places: readonly string[], most = Number.POSITIVE_INFINITY): PickFolder {
  const picked = makeFolder()
  for (const place of places) {
    for (const file of listFiles(join(folder, place)).slice(0, most)) {
      const target = join(picked.path, relative(folder, file))
      mkdirSync(dirname(target), { recursive: true })
      copyFileSync(file, target)
    }
  }
  return picked
}

/** All files below a folder, or the one file that is named. */
export function listFiles(place: string): string[] {
  if (statSync(place).isFile()) return [place]
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

/** SHA-256 of a file with its preamble blanked, as every file leaves the product (PS3.10 §7.1). */
export function hashWithoutPreamble(file: string): string {
  const bytes = readFileSync(file)
  if (bytes.subarray(128, 132).toString('latin1') === 'DICM') bytes.fill(0, 0, 128)
  return createHash('sha256').update(bytes).digest('hex')
}
