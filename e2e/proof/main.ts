/**
 * `npm run proof [-- <part> …]`: the long programmes behind what is promised, with their results in docs/proof.
 * HILUM_PROOF_KILLS, HILUM_PROOF_CUTS, HILUM_PROOF_ROUNDS and HILUM_PROOF_MINUTES set how long they are,
 * HILUM_PROOF_SEED what is drawn, HILUM_PROOF_FOLDER where data is put meanwhile (a real disk, not one in memory),
 * HILUM_PROOF_SUBJECTS which subjects of mutants run, HILUM_PROOF_KEPT where what parts keep from run to run stays.
 */
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { corpus } from './corpus.ts'
import { corrections } from './corrections.ts'
import { diskFull } from './disk-full.ts'
import { doubleSends } from './double-sends.ts'
import { failover } from './failover.ts'
import { fuzz } from './fuzz/fuzz.ts'
import { identity } from './identity.ts'
import { kills, killsOfPair } from './kills.ts'
import { longCut } from './long-cut.ts'
import { mutants } from './mutants/mutants.ts'
import { powerCut } from './power-cut.ts'
import { release } from './release.ts'
import type { ProofPart } from './proof.ts'
import { findCommit, writeResultsPage } from './results-page.ts'
import { NotRunnable } from './small-disk.ts'
import { upgradeCuts } from './upgrade-cuts.ts'
import { viewerSweep } from './viewer-sweep.ts'

const parts: readonly ProofPart[] = [
  kills,
  killsOfPair,
  release,
  upgradeCuts,
  failover,
  powerCut,
  diskFull,
  longCut,
  doubleSends,
  corrections,
  corpus,
  identity,
  viewerSweep,
  fuzz,
  mutants,
]

process.exitCode = await main(process.argv.slice(2))

async function main(asked: readonly string[]): Promise<number> {
  const unknown = asked.filter((name) => !parts.some((part) => part.name === name))
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}. There are: ${parts.map((part) => part.name).join(', ')}`)
    return 1
  }
  const chosen = parts.filter((part) => asked.length === 0 || asked.includes(part.name))
  let failed = 0
  for (const part of chosen) failed += (await runPart(part)) ? 0 : 1
  return failed === 0 ? 0 : 1
}

async function runPart(part: ProofPart): Promise<boolean> {
  const folder = await mkdtemp(join(process.env['HILUM_PROOF_FOLDER'] ?? '/var/tmp', `hilum-${part.name}-`))
  // PostgreSQL runs as another user when we are root, and must reach its folder
  await chmod(folder, 0o755)
  const seed = process.env['HILUM_PROOF_SEED'] ?? randomBytes(6).toString('hex')
  const say = (line: string) => console.log(`${part.name}: ${line}`)
  const commit = findCommit()
  const began = performance.now()
  try {
    const outcome = await part.run({ folder, lastingFolder: await lastingFolder(part.name), seed, numberOf, say })
    await writeResultsPage(part, outcome, { commit, seed, tookMs: performance.now() - began, folder })
    for (const fault of outcome.faults) say(`FAULT ${fault}`)
    say(outcome.faults.length === 0 ? 'held' : `${outcome.faults.length} faults`)
    return outcome.faults.length === 0
  } catch (error) {
    if (!(error instanceof NotRunnable)) throw error
    say(`DID NOT RUN: ${error.message}`)
    return false
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function lastingFolder(name: string): Promise<string> {
  const folder = join(process.env['HILUM_PROOF_KEPT'] ?? join(os.homedir(), '.cache', 'hilum-proof'), name)
  await mkdir(folder, { recursive: true })
  return folder
}

function numberOf(setting: string, otherwise: number): number {
  const text = process.env[setting]
  if (text === undefined) return otherwise
  const number = Number(text)
  if (!(number > 0)) throw new RangeError(`${setting} must be a number above 0`)
  return number
}
