import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runCrashes } from './proof/crash/crash-run.ts'
import { Site } from './proof/crash/site.ts'

const KILLS = 4
const KILLS_OF_PAIR = 2
const LONGEST_MS = 1_800_000

const folders: string[] = []
const sites: Site[] = []
afterAll(async () => {
  for (const site of sites) await site.end()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function makeSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'hilum-kills-'))
  folders.push(folder)
  await chmod(folder, 0o755)
  const site = new Site(folder)
  sites.push(site)
  return site
}

it.each([
  ['one process', KILLS, false],
  ['one of two processes over one database and one store', KILLS_OF_PAIR, true],
])(
  'loses nothing that it acknowledged to POST, STOW and C-STORE when %s is killed %i times, and lists nothing by halves',
  async (_, kills, isPaired) => {
    const { crashes, ledger, objects } = await runCrashes(await makeSite(), {
      crashes: kills,
      seed: 'the short run',
      purgeEvery: kills,
      deadline: Number.POSITIVE_INFINITY,
      crash: ({ server }) => server.kill(),
      isPaired,
      say: () => undefined,
    })
    expect(ledger.faults).toEqual([])
    expect(crashes).toBe(kills)
    expect(ledger.length).toBeGreaterThan(0)
    expect(objects).toBeGreaterThan(0)
  },
  LONGEST_MS,
)
