import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { randomFrom } from '@hilum/dicom/synthetic/random'
import { sweepObjects } from '@hilum/server/areas/retention/sweep-objects.job'
import { verifyStorage } from '@hilum/server/areas/retention/verify-storage.command'
import { readConfig } from '@hilum/server/config'
import { openLog } from '@hilum/server/log'
import { openServices } from '@hilum/server/open-services'
import { Ledger } from './ledger.ts'
import { purgeSoon, reached } from './purge-soon.ts'
import type { Site } from './site.ts'
import { Traffic } from './traffic.ts'

export interface CrashPlan {
  crashes: number
  seed: string
  /** Every so many crashes the server is caught while it purges; 0 for never. */
  purgeEvery: number
  /** Stop after the crash during which this time comes. */
  deadline: number
  /** Takes the server down; afterwards it can be started again. */
  crash: (site: Site) => Promise<void>
  /** A second process serves beside the first one, crashes in its place, and is read through the first. */
  isPaired?: boolean
  say: (line: string) => void
}

export interface CrashReport {
  crashes: number
  purgesCaught: number
  ledger: Ledger
  downloads: Traffic['downloads']
  objects: number
}

const SAY_EVERY = 10
const MAX_IMAGES = 25
const MAX_AFTER_MS = 150
const PATIENCE_MS = 60_000

/**
 * Takes a server down over and over while everybody works with it, and holds it to its acknowledgements. Of a pair the
 * process that stays up may refuse and lose nothing meanwhile.
 * @param site not started yet
 */
export async function runCrashes(site: Site, plan: CrashPlan): Promise<CrashReport> {
  const random = randomFrom(plan.seed)
  const ledger = new Ledger(site)
  let crashes = 0
  let purgesCaught = 0
  await site.start()
  const crashing = plan.isPaired ? await site.startBeside() : site
  const traffic = new Traffic(crashing, ledger, random)
  const staying = plan.isPaired ? new Traffic(site, ledger, random) : undefined
  for (; crashes < plan.crashes && Date.now() < plan.deadline; crashes += 1) {
    const from = ledger.length
    const isPurging = plan.purgeEvery > 0 && crashes % plan.purgeEvery === plan.purgeEvery - 1
    if (isPurging) {
      await reached(site, await purgeSoon(site), ['running', 'done'])
      purgesCaught += 1
    }
    const working = traffic.run()
    const goingOn = staying?.run()
    await untilRandomMoment(ledger, from, random, isPurging)
    traffic.end()
    await plan.crash(crashing)
    await working
    await startAgain(crashing, ledger)
    await traffic.resume()
    staying?.end()
    await goingOn
    await ledger.check(from)
    if ((crashes + 1) % SAY_EVERY === 0)
      plan.say(`${crashes + 1} crashes, ${ledger.length} images, ${ledger.faults.length} faults`)
  }
  if (plan.purgeEvery > 0) await reached(site, await purgeSoon(site), ['done'])
  await ledger.check()
  if (crashing !== site) await crashing.server.stop()
  await site.server.stop()
  const objects = await sweepAndVerify(site.dataFolder, ledger)
  return { crashes, purgesCaught, ledger, downloads: traffic.downloads, objects }
}

/**
 * A random number of acknowledgements and a random moment after the last of them: so the crash falls among the work on
 * slow machines and on fast ones. A purge is over soon.
 */
async function untilRandomMoment(ledger: Ledger, from: number, random: () => number, isSoon: boolean): Promise<void> {
  const images = isSoon ? 0 : Math.floor(random() * MAX_IMAGES)
  const end = Date.now() + PATIENCE_MS
  while (ledger.length - from < images && Date.now() < end) await delay(2)
  await delay(random() * MAX_AFTER_MS)
}

/** A start that fails is a fault, and is tried once more so that what was acknowledged can still be looked at. */
async function startAgain(site: Site, ledger: Ledger): Promise<void> {
  try {
    await site.start()
  } catch (error) {
    ledger.blame(`after a crash it did not start: ${error instanceof Error ? error.message : String(error)}`)
    await site.start()
  }
}

/** Makes every object look two days old and sweeps those that belong to nothing. @returns how many are left */
async function sweepAndVerify(dataFolder: string, ledger: Ledger): Promise<number> {
  const root = join(dataFolder, 'objects')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
  for (const entry of entries)
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), twoDaysAgo, twoDaysAgo)
  return verifySite(dataFolder, ledger)
}

/** Sweeps orphans, then compares objects with records. The server must not run. @returns the objects read */
export async function verifySite(dataFolder: string, ledger: Ledger): Promise<number> {
  const { services, close } = await openServices(readConfig({ HILUM_DATA: dataFolder }), openLog('silent'))
  try {
    const now = new Date()
    await sweepObjects(services, now)
    const tell = ({ kind, what }: { kind: string; what: string }) => ledger.blame(`${kind}: ${what}`)
    return (await verifyStorage(services, { isQuick: false, now, tell })).objects
  } finally {
    await close()
  }
}
