/**
 * `npm run bench [-- <measurement> …]`: measures Hilum beside Orthanc and writes bench/results.md.
 * HILUM_BENCH_REPEATS sets the rounds of each comparison, HILUM_BENCH_STUDIES the sizes of the study search
 * (e.g. 100000,1000000),
 * HILUM_BENCH_FOLDER where data is put meanwhile (a real disk, not one in memory).
 */
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stopAllChildren } from './child-process.ts'
import { type CtSet, makeCtSet } from './ct-set.ts'
import { startHilum } from './hilum-server.ts'
import { browser } from './measure-browser.ts'
import { cstore } from './measure-cstore.ts'
import { firstImage } from './measure-first-image.ts'
import { frames } from './measure-frames.ts'
import { gate } from './measure-gate.ts'
import { idle } from './measure-idle.ts'
import { ingest } from './measure-ingest.ts'
import { interfaceActs } from './measure-interface.ts'
import { list } from './measure-list.ts'
import { metadata } from './measure-metadata.ts'
import { others } from './measure-others.ts'
import { wizard } from './measure-wizard.ts'
import { slowReaders } from './measure-slow-readers.ts'
import { stow } from './measure-stow.ts'
import { tenGigabytes } from './measure-ten-gigabytes.ts'
import { zip } from './measure-zip.ts'
import { qido } from './measure-qido.ts'
import { queries } from './measure-queries.ts'
import type { LoneMeasurement, Measurement, Stage } from './measurement.ts'
import { explainMissingOrthanc, startOrthanc } from './orthanc-server.ts'
import { describeMachine, type Measured, printReport, writeResults } from './results.ts'
import { loadOf, postToHilum, postToOrthanc } from './send-images.ts'
import { peopleSearch } from './people-search.ts'
import { studySearch } from './study-search.ts'

/** Measurements beside the peer, in the order in which they run. */
const besidePeer: readonly Measurement[] = [
  ingest,
  stow,
  cstore,
  zip,
  slowReaders,
  metadata,
  frames,
  firstImage,
  list,
  idle,
  tenGigabytes,
]
const alone: readonly LoneMeasurement[] = [
  qido,
  queries,
  gate,
  studySearch,
  peopleSearch,
  browser,
  interfaceActs,
  wizard,
  others,
]
const names = [...besidePeer, ...alone].map((one) => one.name)

process.exitCode = await main(process.argv.slice(2))

async function main(asked: readonly string[]): Promise<number> {
  const unknown = asked.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    console.error(`There is no measurement ${unknown.join(', ')}. There are: ${names.join(', ')}`)
    return 1
  }
  const isChosen = (name: string) => asked.length === 0 || asked.includes(name)
  const chosen = besidePeer.filter((one) => isChosen(one.name) && !(one.isOnlyByName && asked.length === 0))
  const chosenAlone = alone.filter((one) => isChosen(one.name))
  const needsOrthanc = chosen.length > 0 || chosenAlone.some((one) => one.needsOrthanc)
  const missing = needsOrthanc ? explainMissingOrthanc() : undefined
  if (missing) {
    console.error(missing)
    return 1
  }
  const folder = await mkdtemp(join(process.env['HILUM_BENCH_FOLDER'] ?? '/var/tmp', 'hilum-bench-'))
  // PostgreSQL runs as another user when we are root, and must reach its folder
  await chmod(folder, 0o755)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void giveUp(folder))
  try {
    if (chosen.length > 0) await runBesidePeer(chosen, folder)
    for (const { name, title, run } of chosenAlone) {
      const report = await run(join(folder, name))
      await keep({ name, title, report, at: stamp({ Node: process.versions.node }) })
      // gigabytes of rows are not kept while the next one is measured
      await rm(join(folder, name), { recursive: true, force: true })
    }
    return 0
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Leaves neither programs nor gigabytes behind. */
async function giveUp(folder: string): Promise<void> {
  await stopAllChildren()
  await rm(folder, { recursive: true, force: true })
  process.exit(130)
}

async function runBesidePeer(chosen: readonly Measurement[], folder: string): Promise<void> {
  const orthanc = await startOrthanc(join(folder, 'orthanc'))
  try {
    const hilum = await startHilum(join(folder, 'hilum'))
    try {
      let stored: Promise<CtSet> | undefined
      const repeats = Number(process.env['HILUM_BENCH_REPEATS'] ?? 3)
      const stage: Stage = { hilum, orthanc, folder, repeats, storedCt: () => (stored ??= storeCt(stage)) }
      for (const { name, title, run } of chosen) {
        const report = await run(stage)
        const at = stamp({ Node: process.versions.node, Orthanc: orthanc.version })
        await keep({ name, title, report, at })
      }
    } finally {
      await hilum.stop()
    }
  } finally {
    await orthanc.stop()
  }
}

async function storeCt({ hilum, orthanc }: Stage): Promise<CtSet> {
  const set = await makeCtSet('stored')
  await postToHilum(hilum, loadOf(set))
  await postToOrthanc(orthanc, loadOf(set))
  return set
}

/** Each measurement is written when it is done: a long run that is broken off keeps what it has. */
async function keep(measured: Measured): Promise<void> {
  printReport(measured)
  await writeResults([measured], names)
}

function stamp(versions: Record<string, string>): string {
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' })
  return `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, commit ${commit.stdout.trim() || 'unknown'}. ${describeMachine(versions)}.`
}
