import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { openInstallation } from '../cli/open-installation.ts'
import { openLog } from '../log.ts'
import { openServices } from '../open-services.ts'
import { migrationNames } from './migrate.ts'
import { noteReleaseIn, refuseNewerRelease, releaseMark } from './release-mark.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hilum-mark-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const mark = (text: string) => writeFileSync(join(folder, releaseMark), text)

it.each([
  ['a server that starts', () => openServices(readConfig({ HILUM_DATA: folder }), openLog('silent'))],
  ['a command beside it', () => openInstallation(readConfig({ HILUM_DATA: folder }))],
])('names the newer release that used a data folder, and touches nothing: %s', async (_, act) => {
  mark('{"version":"7.4.0","newest_step":"9999-to-come"}')
  await expect(act()).rejects.toThrow('were last used by Hilum 7.4.0, this is Hilum')
  // two releases may have one version while it is made
  mark('{"version":"7.4.0","commit":"0123456789abcdef0123","newest_step":"9999-to-come"}')
  await expect(act()).rejects.toThrow('were last used by Hilum 7.4.0 (commit 0123456789ab), this is Hilum')
  expect(readdirSync(folder)).toEqual([releaseMark])
})

it('takes data of this release, of an older one, and a mark that says nothing', async () => {
  await noteReleaseIn(folder)
  expect(readFileSync(join(folder, releaseMark), 'utf8')).toContain(migrationNames.at(-1))
  expect(() => refuseNewerRelease(folder)).not.toThrow()
  for (const text of [`{"version":"0.0.1","newest_step":"${migrationNames[0]}"}`, '{"version":"7', '', '[]']) {
    mark(text)
    expect(() => refuseNewerRelease(folder)).not.toThrow()
    await noteReleaseIn(folder)
    expect(readFileSync(join(folder, releaseMark), 'utf8')).toContain(migrationNames.at(-1))
  }
  expect(readdirSync(folder)).toEqual([releaseMark])
})
