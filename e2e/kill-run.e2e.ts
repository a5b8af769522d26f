import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCrashes } from './proof/crash/crash-run.ts'
import { Site } from './proof/crash/site.ts'

const KILLS = 25
const LONGEST_MS = 1_800_000

let folder: string
let site: Site
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hilum-kills-'))
  await chmod(folder, 0o755)
  site = new Site(folder)
})
afterAll(async () => {
  await site.end()
  await rm(folder, { recursive: true, force: true })
})

it(
  `loses nothing that it acknowledged to POST, STOW and C-STORE in ${KILLS} kills, and lists nothing by halves`,
  async () => {
    const { crashes, ledger, objects } = await runCrashes(site, {
      crashes: KILLS,
      seed: 'the short run',
      purgeEvery: 25,
      deadline: Number.POSITIVE_INFINITY,
      crash: ({ server }) => server.kill(),
      say: () => undefined,
    })
    expect(ledger.faults).toEqual([])
    expect(crashes).toBe(KILLS)
    expect(ledger.length).toBeGreaterThan(0)
    expect(objects).toBeGreaterThan(0)
  },
  LONGEST_MS,
)
