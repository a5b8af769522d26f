import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import type { Outcome, ProofPart, Stage } from '../proof.ts'
import type { AcceptedSurvivor } from './accepted-survivor.ts'
import { acceptedSurvivors } from './accepted-survivors.ts'
import { type Subject, subjects } from './subjects.ts'

const root = resolve(import.meta.dirname, '..', '..', '..')
const goal = 0.9

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

/** The last run of one subject, kept so that subjects can be run one by one. */
interface SubjectResult {
  name: string
  files: readonly string[]
  made: number
  killed: number
  survivors: readonly Survivor[]
}

interface Survivor {
  file: string
  line: number
  /** The code as written, and the break that no test noticed. */
  change: string
  /** The whole line that the break begins in. */
  on?: string
  isReached: boolean
}

export const mutants: ProofPart = {
  name: 'mutants',
  title: 'Small breaks that the tests notice',
  method:
    'StrykerJS makes small breaks in the code on which identity, access and completeness rest, one at a time, and runs the tests of that subject in one process. Of subjects that need the database, breaks in what is worked out while files are loaded are left out. A break that no test notices is named below. HILUM_PROOF_SUBJECTS chooses subjects (empty: none, which writes the page alone); the page holds the last run of each.',
  run: runSubjects,
}

async function runSubjects(stage: Stage): Promise<Outcome> {
  const results = join(stage.lastingFolder, 'results.json')
  const known = await readResults(results)
  for (const subject of chosenSubjects()) {
    const found = await runSubject(subject, stage)
    known.set(subject.name, found)
    stage.say(`${subject.name}: ${found.killed} of ${found.made} noticed`)
    await writeFile(results, JSON.stringify([...known.values()]))
  }
  const unmeasured = subjects.filter((subject) => !known.has(subject.name))
  const outcome = describe(subjects.flatMap((subject) => known.get(subject.name) ?? []))
  return { ...outcome, faults: [...outcome.faults, ...unmeasured.map(({ name }) => `${name}: not measured yet`)] }
}

function chosenSubjects(): readonly Subject[] {
  const asked = process.env['HILUM_PROOF_SUBJECTS']?.split(',')
  if (asked === undefined) return subjects
  if (asked.join('') === '') return []
  const unknown = asked.filter((name) => !subjects.some((subject) => subject.name === name))
  if (unknown.length > 0) throw new RangeError(`HILUM_PROOF_SUBJECTS names no subject: ${unknown.join(', ')}`)
  return subjects.filter((subject) => asked.includes(subject.name))
}

async function runSubject(subject: Subject, { folder, lastingFolder }: Stage): Promise<SubjectResult> {
  process.chdir(root)
  process.env['HILUM_MUTANTS_NEEDS'] = subject.needs
  process.env['HILUM_MUTANTS_TESTS'] = subject.tests.join('|')
  process.env['HILUM_MUTANTS_ROOT'] = root
  const run = new Stryker({
    testRunner: 'in-process',
    plugins: [join(import.meta.dirname, 'in-process-runner.ts')],
    // The runner would read TypeScript's configuration by an interface that TypeScript 7 does not have.
    tsconfigFile: 'none.json',
    coverageAnalysis: 'perTest',
    // Breaks met only while files are loaded would want a database each; nearly all of them are whole statements of SQL.
    ignoreStatic: subject.needs === 'db',
    // A break that a test noticed need not be tried again while code and test are the same.
    incremental: true,
    incrementalFile: join(lastingFolder, `${nameOfFile(subject)}.json`),
    mutate: [...subject.files, '!**/*.test.{ts,tsx}'],
    ignorePatterns: ['.cache', 'bench', 'docs', 'e2e/shots'],
    concurrency: 1,
    // Loops without an end are found by counting: on a busy machine a slow test is none.
    timeoutMS: 60_000,
    reporters: [],
    tempDirName: join(folder, nameOfFile(subject)),
    allowConsoleColors: false,
  })
  return summarise(subject, await run.runMutationTest())
}

function nameOfFile({ name }: Subject): string {
  return name.replaceAll(/\W+/g, '-')
}

async function summarise(subject: Subject, all: readonly Mutant[]): Promise<SubjectResult> {
  const counted = all.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError')
  const left = counted.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  return {
    name: subject.name,
    files: subject.files,
    made: counted.length,
    killed: counted.length - left.length,
    survivors: await Promise.all(left.map(describeSurvivor)),
  }
}

async function describeSurvivor({ fileName, location, replacement, status }: Mutant): Promise<Survivor> {
  const file = fileName.startsWith(root) ? fileName.slice(root.length + 1) : fileName
  const lines = (await readFile(join(root, file), 'utf8')).split('\n').slice(location.start.line - 1, location.end.line)
  const last = lines.length - 1
  const on = (lines[0] ?? '').trim()
  lines[last] = (lines[last] ?? '').slice(0, location.end.column - 1)
  lines[0] = (lines[0] ?? '').slice(location.start.column - 1)
  const change = `${oneLine(lines.join('\n'))} → ${oneLine(replacement ?? '')}`
  return { file, line: location.start.line, change, on, isReached: status === 'Survived' }
}

function oneLine(code: string): string {
  const text = code.replaceAll(/\s+/g, ' ').trim()
  return text.length > 90 ? `${text.slice(0, 87)}…` : text
}

function describe(results: readonly SubjectResult[]): Outcome {
  const faults: string[] = []
  const table = [['subject', 'breaks', 'noticed', 'named with a reason', 'share noticed']]
  const notes: string[] = []
  for (const { name, made, killed, survivors } of results) {
    const share = killed / Math.max(made, 1)
    const reasons = survivors.map((survivor) => ({ survivor, reason: reasonFor(survivor) }))
    table.push([
      name,
      String(made),
      String(killed),
      String(reasons.filter(({ reason }) => reason !== undefined).length),
      `${(100 * share).toFixed(1)} %`,
    ])
    if (share < goal) faults.push(`${name}: ${(100 * share).toFixed(1)} % noticed, less than ${100 * goal} %`)
    for (const { survivor, reason } of reasons) {
      const { file, line, change, isReached } = survivor
      notes.push(`\`${file}:${line}\` \`${change.replaceAll('`', "'")}\`: ${reason ?? unexplained(isReached)}`)
    }
  }
  return { table, notes, faults }
}

function reasonFor({ file, change, on }: Survivor): string | undefined {
  const isMeant = (accepted: AcceptedSurvivor) =>
    accepted.file === file && accepted.change === change && (accepted.on === undefined || on?.includes(accepted.on))
  return acceptedSurvivors.find(isMeant)?.reason
}

function unexplained(isReached: boolean): string {
  return isReached ? '**not noticed**' : '**no test comes here**'
}

async function readResults(file: string): Promise<Map<string, SubjectResult>> {
  try {
    const results = JSON.parse(await readFile(file, 'utf8')) as SubjectResult[]
    return new Map(results.map((result) => [result.name, result]))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw error
  }
}
