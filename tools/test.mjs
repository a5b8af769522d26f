/**
 * `npm test [-- unit|db|e2e …]`: sets up what is needed, runs every check of the parts named (all, when none is)
 * and ends with one true line `N passed, N failed`. The unit part holds types, lint and import arrows too.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { ensureDebianPackages } from './debian-packages.mjs'
import { prepare, root, runInForeground, runTool, SetupError } from './setup.mjs'
import { Tally } from './test-report.mjs'
import { buildWeb } from './web-build.mjs'

const allParts = ['unit', 'db', 'e2e']
/**
 * Tests of doors and files, and of pairs of acts, which ask both PostgreSQLs no statement that the tests of areas do not
 * ask; of DICOMweb's, those of searches do.
 */
const doorTests = [
  ...['http', 'storage', 'dimse', 'channel'].map((name) => `server/src/inbound/${name}/**`),
  'server/src/inbound/dicomweb/!(search*)',
  '**/concurrent-*.db.test.ts',
]
/**
 * Tests of what may differ between two PostgreSQLs: the schema and its upgrades, every statement, copies from one to the
 * other, and the statements of lists, of arriving images and of the queue. A run of every part runs these alone on the
 * system’s; `npm test -- db` all but those of doors (docs/decisions/0079).
 */
const tellingPostgresApart = ['db', 'backup', 'areas/study', 'areas/ingest', 'areas/job'].map(
  (name) => `server/src/${name}/`,
)
const reports = path.join(root, '.cache', 'test-reports')
/** Processes that tests start, hundreds of them, find the code that others compiled. */
const compiled = { NODE_COMPILE_CACHE: path.join(root, '.cache', 'compiled') }
const tally = new Tally()
const isStrict = process.env.CI === 'true'

await runTool(async () => {
  let code = 1
  try {
    const parts = partsAsked(process.argv.slice(2))
    const corpus = findCorpus()
    const node = prepare()
    ensureDebianPackages(parts)
    rmSync(reports, { recursive: true, force: true })
    mkdirSync(reports, { recursive: true })
    const run = (args, env) => runInForeground(node, args, { HILUM_TEST_DICOM: corpus, ...compiled, ...env })
    if (parts.includes('unit')) await runUnit(run)
    if (parts.includes('db')) await runDatabase(run, parts.length === allParts.length ? tellingPostgresApart : [])
    if (parts.includes('e2e')) {
      await check('web build', () => tryToBuildWeb(node))
      await runVitest(run, 'e2e', ['e2e'])
    }
  } catch (error) {
    // The last line must be printed and be true also when set-up fails.
    tally.addFault(error instanceof SetupError ? error.message : String(error.stack))
  } finally {
    code = conclude()
  }
  return code
})

function partsAsked(args) {
  const unknown = args.filter((part) => !allParts.includes(part))
  if (unknown.length > 0) throw new SetupError(`Unknown part: ${unknown.join(', ')}. Parts are ${allParts.join(', ')}.`)
  return args.length === 0 ? allParts : allParts.filter((part) => args.includes(part))
}

function findCorpus() {
  const folder = path.resolve(root, process.env.HILUM_TEST_DICOM ?? '../shared/dicom')
  if (existsSync(path.join(folder, 'MANIFEST.tsv'))) return folder
  const words = `There is no DICOM corpus at ${folder} (HILUM_TEST_DICOM)`
  if (isStrict) throw new SetupError(`${words}; with CI=true it must be there.`)
  process.stderr.write(`\n!! ${words}: the tests that need it WILL NOT RUN.\n\n`)
  return folder
}

async function runUnit(run) {
  const bin = (...parts) => path.join(root, 'node_modules', ...parts)
  const tsc = bin('typescript', 'bin', 'tsc')
  const projects = ['.', 'web', 'viewer/page', 'e2e'].filter((folder) =>
    existsSync(path.join(root, folder, 'tsconfig.json')),
  )
  await check('types', async () => {
    let code = 0
    for (const project of projects) code ||= await run([tsc, '-p', path.join(root, project)])
    return code
  })
  await check('lint', () => run([bin('oxlint', 'bin', 'oxlint'), '--deny-warnings', root]))
  await check('arrows', () => run([path.join(root, 'tools', 'boundaries.ts')]))
  await runVitest(run, 'unit', ['unit', 'unit-mocks', 'web', 'web-mocks'])
}

async function runDatabase(run, chosenOnSystem) {
  await runVitest(run, 'db', ['db', 'db-mocks'], { HILUM_TEST_PG: 'embedded' })
  if (systemPostgres())
    await runVitest(
      run,
      'db on the system’s PostgreSQL',
      ['db'],
      { HILUM_TEST_PG: 'system' },
      {
        chosen: chosenOnSystem,
        excluded: doorTests,
      },
    )
  else
    process.stderr.write(
      '\n!! No system PostgreSQL ≥ 15 is installed: the database tests ran on the embedded one only.\n\n',
    )
}

function systemPostgres() {
  const folder = '/usr/lib/postgresql'
  if (!existsSync(folder)) return false
  return readdirSync(folder).some(
    (major) => Number(major) >= 15 && existsSync(path.join(folder, major, 'bin', 'initdb')),
  )
}

/** Builds the web; tests that do not need it run even after a failure. */
async function tryToBuildWeb(node) {
  try {
    buildWeb(node)
    return 0
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}

async function check(name, act) {
  process.stderr.write(`\n== ${name}\n`)
  tally.addCheck(name, (await act()) === 0)
}

async function runVitest(run, name, projects, env, { chosen = [], excluded = [] } = {}) {
  process.stderr.write(`\n== ${name}\n`)
  const report = path.join(reports, `${name.replaceAll(/\W+/g, '-')}.json`)
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const args = [
    vitest,
    'run',
    '--root',
    root,
    '--retry=1',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const ofProjects = projects.map((project) => `--project=${project}`)
  const without = excluded.map((pattern) => `--exclude=${pattern}`)
  const code = await run([...args, ...chosen, ...ofProjects, ...without], env)
  tally.addRun(name, report, code === 0)
}

function conclude() {
  if (tally.skipped.length > 0) {
    const verdict = isStrict ? 'with CI=true each counts as failed' : 'they prove nothing'
    process.stdout.write(
      `\n!! ${tally.skipped.length} skipped, ${verdict}:\n${tally.skipped.map((name) => `!!   ${name}\n`).join('')}`,
    )
    if (isStrict) tally.failed += tally.skipped.length
  }
  // once more at the end, where whoever is given the end of the log alone finds them
  for (const unsteady of tally.unsteadyTests) process.stdout.write(`\n!! passed at the second try only: ${unsteady}\n`)
  for (const failed of tally.failedTests) process.stdout.write(`\n!! failed: ${failed}\n`)
  for (const fault of tally.faults) process.stdout.write(`\n!! ${fault}\n`)
  process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed\n`)
  return tally.failed > 0 || tally.passed === 0 ? 1 : 0
}
