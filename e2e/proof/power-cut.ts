import { readFile } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCrashes } from './crash/crash-run.ts'
import { describeCrashes } from './crash/describe-crashes.ts'
import { Site } from './crash/site.ts'
import type { Outcome, ProofPart, Stage } from './proof.ts'
import { SmallDisk } from './small-disk.ts'

/** Cuts the power of the disk under server and database while people work. */
export const powerCut: ProofPart = {
  name: 'power-cut',
  title: 'Power cut at random moments',
  method: `The whole data folder, PostgreSQL's files and the objects, lies on an ext4 file system of its own. At a random
moment while people send, download and delete, that file system is shut down without writing what it still holds in memory
(EXT4_IOC_SHUTDOWN, no flush of the journal): only what was synced before is there afterwards. Then the processes are
killed, the file system is mounted again and Hilum started, and everything that was acknowledged is read back as in the
programme of the kills.`,
  run: runCuts,
}

const DISK_MB = 12_000

async function runCuts(stage: Stage): Promise<Outcome> {
  const disk = new SmallDisk(join(stage.folder, 'disk'), join(stage.folder, 'mounted'))
  await disk.make(DISK_MB)
  const site = new Site(join(disk.folder, 'data'))
  try {
    const report = await runCrashes(site, {
      crashes: stage.numberOf('HILUM_PROOF_CUTS', 100),
      seed: stage.seed,
      purgeEvery: 5,
      deadline: Date.now() + stage.numberOf('HILUM_PROOF_MINUTES', 24 * 60) * 60_000,
      crash: (site) => cutPower(site, disk),
      say: stage.say,
    })
    return describeCrashes('Power cuts', site, report)
  } finally {
    await site.end()
    await disk.unmount()
  }
}

async function cutPower(site: Site, disk: SmallDisk): Promise<void> {
  const database = Number((await readFile(join(site.dataFolder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
  const processes = [database, ...childrenOf(database)]
  disk.cut()
  await site.server.kill()
  for (const pid of processes) killIfThere(pid)
  await disk.unmount()
  disk.mount()
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent)
}

function parentOf(pid: number): number | undefined {
  try {
    // after the program's name in brackets, which may hold spaces: state, parent
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    )
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code))
}
