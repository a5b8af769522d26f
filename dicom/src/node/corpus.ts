import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** One line of the corpus manifest, by column name. */
export type CorpusFile = Record<string, string> & { path: string; expected: string; note: string }

/** The folder of test files: HILUM_TEST_DICOM, else ../shared/dicom beside the repository. */
export const corpusFolder = resolve(
  process.env.HILUM_TEST_DICOM ?? join(import.meta.dirname, '../../../../shared/dicom'),
)

/**
 * For `describe.skipIf`: whether tests over the corpus cannot run. Absence of the corpus fails in CI and is said aloud
 * elsewhere.
 */
export const isCorpusMissing = !existsSync(join(corpusFolder, 'MANIFEST.tsv'))

if (isCorpusMissing) {
  const message = `No test corpus at ${corpusFolder} (set HILUM_TEST_DICOM): the tests that need it did NOT run`
  if (process.env.CI === 'true') throw new Error(message)
  process.stderr.write(`${message}\n`)
}

/** The manifest's files, those under `folder` when it is given. Empty when the corpus is missing. */
export function listCorpus(folder = ''): CorpusFile[] {
  if (isCorpusMissing) return []
  const [head, ...lines] = readFileSync(join(corpusFolder, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n')
  const columns = head?.split('\t') ?? []
  return lines
    .map((line) => {
      const cells = line.split('\t')
      return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])) as CorpusFile
    })
    .filter((file) => file.path.startsWith(folder))
}

/** Whether comparisons with other programs take every file (`npm run proof -- corpus`), not `sampleCorpus` alone. */
export const isCorpusWhole = process.env.HILUM_TEST_CORPUS === 'whole'

/**
 * All files but slices in the middle of a series: of each series of `studies/` and `media/`, which one machine wrote in
 * one way, the first and the last of the manifest of each SOP class, transfer syntax and size. Everything when
 * `isCorpusWhole`.
 */
export function sampleCorpus(): CorpusFile[] {
  const files = listCorpus()
  if (isCorpusWhole) return files
  const alike = Map.groupBy(files, ({ path, series_uid, sop_class, transfer_syntax, rows, columns }) =>
    series_uid && /^(studies|media)\//.test(path)
      ? [path.slice(0, path.lastIndexOf('/')), series_uid, sop_class, transfer_syntax, rows, columns].join(' ')
      : path,
  )
  const ends = new Set([...alike.values()].flatMap((slices) => [slices[0], slices.at(-1)]))
  return files.filter((file) => ends.has(file))
}

export function readCorpusFile(path: string): Uint8Array {
  return new Uint8Array(readFileSync(join(corpusFolder, path)))
}
