import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isCorpusMissing, listCorpus } from '@hilum/dicom/node/corpus'
import type { Outcome, ProofPart, Stage } from './proof.ts'
import { NotRunnable } from './small-disk.ts'

const root = resolve(import.meta.dirname, '..', '..')
/** The tests that `npm test` runs over a sample of the corpus. */
const tests = [
  'dicom/src/render/metadata.corpus.test.ts',
  'dicom/src/render/pixels.corpus.test.ts',
  'dicom/src/splice.test.ts',
  'dicom/src/json.test.ts',
]

interface Report {
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
}

/** Every file of the corpus beside what DCMTK makes of it. */
export const corpus: ProofPart = {
  name: 'corpus',
  title: 'Every file of the corpus read as others read it',
  method: `Tests that \`npm test\` runs over the first and the last image of each series run over every file: the metadata
that DCMTK reads, the pixels of every frame that it finds, corrections that change nothing but what is corrected, and DICOM JSON.`,
  run,
}

async function run(stage: Stage): Promise<Outcome> {
  if (isCorpusMissing) throw new NotRunnable('the corpus is not here')
  const report = join(stage.folder, 'report.json')
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const args = [vitest, 'run', '--root', root, '--project=unit', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn(process.execPath, [...args, ...tests], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, HILUM_TEST_CORPUS: 'whole' },
  })
  await once(child, 'exit')
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = results.filter(({ status }) => status !== 'passed')
  return {
    table: [
      ['What', 'Count'],
      ['Files of the corpus', String(listCorpus().length)],
      ['Tests', String(results.length)],
      ['Of them passed', String(results.length - failed.length)],
    ],
    notes: [],
    faults: failed.map(
      ({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]?.slice(0, 500) ?? 'skipped'}`,
    ),
  }
}
